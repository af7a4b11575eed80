import { base64 } from '@tender/transactions';
import {
  commitmentList,
  invalidCommitmentOf,
  type Commitments,
  type NonceCommitment,
} from './commitments';
import { frost, idOf, packageOf } from './group';
import type { KeyShare } from './key-share';
import { erasePair, Nonces } from './nonces';
import { SigningFault } from './signing-fault';

/** Fresh nonces for one signature, hedged with the share against a weak source of chance, as RFC 9591 has them. */
export function commitNonces(share: KeyShare): { nonces: Nonces; commit: NonceCommitment } {
  const { nonces, commitments } = frost.commit(secretOf(share));
  const commit = { hiding: base64(commitments.hiding), binding: base64(commitments.binding) };
  return { nonces: new Nonces(nonces), commit };
}

/**
 * This party's share of a signature, base64. The nonces are burned whatever comes of it. The caller has judged the
 * message and the quorum: what is given here is all that a party has to give.
 */
export function shareOf(
  share: KeyShare,
  nonces: Nonces,
  commits: Commitments,
  message: Uint8Array,
): string {
  const pair = nonces.take();
  if (pair === null) throw new SigningFault('nonce_already_consumed', share.role);
  try {
    const list = commitmentList(commits);
    const [secret, key] = [secretOf(share), packageOf(share.commitments)];
    return base64(frost.signShare(secret, key, pair, list, message));
  } catch (error) {
    if (error instanceof SigningFault) throw error;
    const culprit = invalidCommitmentOf(commits);
    if (culprit) throw new SigningFault('commitment_invalid', culprit);
    // What else the library looks at: the commitment under the own name must be that of the nonces.
    throw new SigningFault('own_commitment_missing', share.role);
  } finally {
    erasePair(pair);
  }
}

function secretOf({ role, secret }: KeyShare) {
  if (secret.every((byte) => byte === 0)) throw new SigningFault('key_invalid', role);
  return { identifier: idOf(role), signingShare: secret };
}
