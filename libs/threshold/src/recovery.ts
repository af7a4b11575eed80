import { x25519 } from '@noble/curves/ed25519.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64, bytesOfBase64 } from '@tender/transactions';
import { canonicalBytes, isSame } from './canonical-bytes';
import { bytes32, fitsKey } from './group';
import { hasShape, isText, listOf, type Check } from './has-shape';
import { keyShare, type KeyShare } from './key-share';
import { ROLES, THRESHOLD } from './parties';
import type { Roster } from './roster';
import { seal, sealKeyPair, unseal, type SealKeyPair } from './seal';
import { ShareUnopened } from './share-unopened';

const SECRET_BYTES = 32;

/** The offline key that shares for disasters are sealed to: made and kept off every machine of the service. */
export const recoveryKeyPair: () => SealKeyPair = sealKeyPair;

const purposeOf = (ephemeral: Uint8Array, recovery_key: Uint8Array): Uint8Array =>
  canonicalBytes('tender.recovery.v1', [base64(ephemeral), base64(recovery_key)]);

/** The share, sealed to an offline key, base64; null where that is no key. It carries all that signing takes. */
export function sealForRecovery(share: KeyShare, recovery_key: string): string | null {
  const public_key = bytes32(recovery_key);
  if (public_key === null) return null;
  const ephemeral = sealKeyPair();
  const { role, wallet, epoch, commitments } = share;
  const about = utf8ToBytes(JSON.stringify({ role, wallet, epoch, commitments }));
  const plain = concatBytes(share.secret, about);
  const sealed = seal(plain, {
    secret_key: ephemeral.secret_key,
    public_key,
    salt: public_key,
    purpose: purposeOf(ephemeral.public_key, public_key),
  });
  plain.fill(0);
  ephemeral.secret_key.fill(0);
  return sealed && base64(concatBytes(ephemeral.public_key, sealed));
}

/**
 * The share that was sealed for disasters, if it is one of the wallet that it names. That this is the wallet of the
 * roster in hand, the caller compares.
 */
export function openRecovery(recovery: SealKeyPair, sealed_share: string): KeyShare {
  const bytes = bytesOfBase64(sealed_share) ?? new Uint8Array();
  const ephemeral = bytes.subarray(0, SECRET_BYTES);
  const plain = unseal(bytes.subarray(SECRET_BYTES), {
    secret_key: recovery.secret_key,
    public_key: ephemeral,
    salt: recovery.public_key,
    purpose: purposeOf(ephemeral, recovery.public_key),
  });
  if (plain === null) throw new ShareUnopened('the share is not sealed to this recovery key');
  const share = shareIn(plain);
  plain.fill(0);
  if (!share || !fitsKey(share)) throw new ShareUnopened('what is sealed is no share of its wallet');
  return share;
}

/** The share R of a roster, opened with the offline key. Throws `ShareUnopened`, which says what is wrong. */
export function recoveredShare(recovery: SealKeyPair, roster: Roster): KeyShare {
  if (roster.recovery === null) throw new ShareUnopened('the merchant has share R of this wallet');
  const { sealed_to, sealed_share } = roster.recovery;
  if (sealed_to !== base64(recovery.public_key)) {
    throw new ShareUnopened(`the share is sealed to ${sealed_to}, and this is another offline key`);
  }
  const share = openRecovery(recovery, sealed_share);
  const { role, wallet, epoch, commitments } = share;
  const is_of_roster = role === 'R' && wallet === roster.wallet && epoch === roster.epoch;
  if (is_of_roster && isSame(commitments, roster.commitments)) return share;
  share.erase();
  throw new ShareUnopened('what is sealed is the share of another wallet');
}

/** An offline key as a file keeps it: base64. */
export interface KeptRecoveryKey {
  readonly public_key: string;
  readonly secret_key: string;
}

export function newRecoveryKey(): KeptRecoveryKey {
  const { public_key, secret_key } = recoveryKeyPair();
  return { public_key: base64(public_key), secret_key: base64(secret_key) };
}

/** The pair of a secret that was kept; null where it is none. */
export function recoveryPairOf(secret: string): SealKeyPair | null {
  const secret_key = bytes32(secret);
  return secret_key && { secret_key, public_key: x25519.getPublicKey(secret_key) };
}

const ABOUT: Readonly<Record<string, Check>> = {
  role: (value) => (ROLES as readonly unknown[]).includes(value),
  wallet: isText,
  epoch: Number.isSafeInteger,
  commitments: listOf(THRESHOLD, isText),
};

/** Anyone can seal to a public key: what was sealed is read as what comes from outside. */
function shareIn(plain: Uint8Array): KeyShare | null {
  try {
    const about: unknown = JSON.parse(new TextDecoder().decode(plain.subarray(SECRET_BYTES)));
    if (!hasShape(about, ABOUT)) return null;
    const secret = plain.slice(0, SECRET_BYTES);
    return keyShare({ ...(about as Omit<KeyShare, 'secret' | 'erase'>), secret });
  } catch {
    return null;
  }
}
