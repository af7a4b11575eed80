import { Unavailable, type Runtime } from '@tender/eventing';
import { ApiError } from '@tender/http';
import {
  HOSTED_QUORUM,
  type Proof,
  type ProofMessages,
  type SignedRoster,
  type SignerCode,
} from '@tender/threshold';
import type { OpenWallet } from '@tender/treasury-domain';
import { askSigner } from '../signing/ask-signer';
import { readProof } from './read-proof';

/** What clients see of a signer’s refusal; of all other codes, that the signers cannot do it now. */
const SEEN = {
  passkey_signature_malformed: [400, 'passkey_signature has not the form of a proof.'],
  passkey_required: [403, 'The signers know no passkey of yours. Register one on the set-up page.'],
  passkey_unknown_credential: [403, 'The signers know no such passkey of yours.'],
  passkey_invalid: [403, 'The proof is not by that passkey, or was made on another page.'],
  user_verification_required: [403, 'The passkey has not made sure who uses it.'],
  passkey_operation_mismatch: [403, 'The proof allows something else. Ask for a challenge of this operation.'],
  passkey_challenge_expired: [403, 'The challenge has expired. Ask for another one.'],
  passkey_challenge_consumed: [409, 'The challenge was used before. Ask for another one.'],
} as const satisfies Partial<Record<SignerCode, readonly [number, string]>>;
type SeenCode = keyof typeof SEEN;

/** The proof in a request; throws 400. */
export function proofIn(passkey_signature: object): Proof {
  const proof = readProof(passkey_signature);
  if (proof === null) throw refused('passkey_signature_malformed');
  return proof;
}

/**
 * Has both signers do what a passkey of the merchant allows. Throws what one of them has refused, as the client sees
 * it, and 503 where one is silent: the same proof, sent again, finishes what it has begun.
 */
export async function allowedByBoth<Kind extends 'unfreeze' | 'limit'>(
  { signers, random, log }: Pick<Runtime, 'signers' | 'random' | 'log'>,
  { address, roster }: Pick<OpenWallet, 'address' | 'roster'>,
  kind: Kind,
  body: ProofMessages[Kind]['asks'],
): Promise<void> {
  if (signers === null) throw new Unavailable('the signers');
  const session = { session: random.uuid(), epoch: (roster as SignedRoster).roster.epoch };
  const asked = await Promise.all(
    HOSTED_QUORUM.map((role) => askSigner<'unfreeze' | 'limit'>(signers, role, kind, body, session)),
  );
  for (const [index, answer] of asked.entries()) {
    if (!answer.ok) log.warn({ address, kind, role: HOSTED_QUORUM[index], ...answer }, 'a signer has not done what was asked');
  }
  for (const answer of asked) {
    if (!answer.ok && 'refused' in answer && isSeen(answer.refused.code)) throw refused(answer.refused.code);
  }
  if (asked.some(({ ok }) => !ok)) throw new Unavailable('the signers');
}

const isSeen = (code: string): code is SeenCode => Object.hasOwn(SEEN, code);

const refused = (code: SeenCode): ApiError => {
  const [status, message] = SEEN[code];
  return new ApiError(status, code, message);
};
