import { createHash, randomBytes } from 'node:crypto';
import { invariant } from '@tender/kernel';
import { base64, bytesOfBase64 } from '@tender/transactions';
import { decrypted, encrypted } from './authenticated';
import { canonicalBytes } from './canonical-bytes';
import { keyShare, type KeyShare } from './key-share';
import type { Role } from './parties';
import { ShareUnopened } from './share-unopened';

const SECRET_BYTES = 32;
const KEY_BYTES = 32;

/** What encrypts the keys of shares at rest: a key of this machine, a KMS. Each signer has one of its own. */
export interface KeyEncryption {
  readonly id: string;
  wrap(key: Uint8Array): Promise<Uint8Array>;
  /** Rejects where the key was wrapped by another. */
  unwrap(wrapped: Uint8Array): Promise<Uint8Array>;
}

/** A share at rest: plain JSON that tells nothing without its key-encryption key. */
export interface SealedShare {
  readonly v: 1;
  readonly kek_id: string;
  /** Base64. */
  readonly wrapped_key: string;
  readonly sealed: string;
}

/** Where a share belongs. */
export interface ShareOf {
  readonly wallet: string;
  readonly role: Role;
  readonly epoch: number;
}

const aboutOf = ({ wallet, role, epoch }: ShareOf, kek_id: string): Uint8Array =>
  canonicalBytes('tender.share.v1', [wallet, role, epoch, kek_id]);

/** Encrypts a share under a fresh key, which the key-encryption key wraps. */
export async function sealShare(
  share: KeyShare,
  kek: KeyEncryption,
  { wallet, epoch }: Omit<ShareOf, 'role'>,
): Promise<SealedShare> {
  invariant(share.wallet === wallet && share.epoch === epoch, 'a share is kept for its own wallet');
  const key = randomBytes(KEY_BYTES);
  const plain = Buffer.concat([share.secret, Buffer.from(JSON.stringify(share.commitments))]);
  try {
    const sealed = encrypted(key, plain, aboutOf(share, kek.id));
    const wrapped_key = base64(await kek.wrap(key));
    return { v: 1, kek_id: kek.id, wrapped_key, sealed: base64(sealed) };
  } finally {
    key.fill(0);
    plain.fill(0);
  }
}

/** The share that was kept for this place. Rejects with `ShareUnopened` for one of another wallet, role or epoch. */
export async function openShare(
  { kek_id, wrapped_key, sealed }: SealedShare,
  kek: KeyEncryption,
  of: ShareOf,
): Promise<KeyShare> {
  if (kek_id !== kek.id) throw new ShareUnopened(`the share is sealed under ${kek_id}, not ${kek.id}`);
  const key = await kek.unwrap(bytesOfBase64(wrapped_key) ?? new Uint8Array());
  const plain = decrypted(key, bytesOfBase64(sealed) ?? new Uint8Array(), aboutOf(of, kek.id));
  key.fill(0);
  if (plain === null) throw new ShareUnopened('the sealed share was changed, or is of another place');
  const commitments = JSON.parse(plain.subarray(SECRET_BYTES).toString()) as readonly string[];
  const { wallet, role, epoch } = of;
  const secret = Uint8Array.from(plain.subarray(0, SECRET_BYTES));
  plain.fill(0);
  return keyShare({ wallet, role, epoch, secret, commitments });
}

const KEY_ENCRYPTION = Buffer.from('tender.key-encryption.v1');

/** Encrypts with a key of 32 bytes that this process holds. The id tells one key from another, and nothing of it. */
export function localKeyEncryption(key: Uint8Array): KeyEncryption {
  invariant(key.length === KEY_BYTES, 'a key-encryption key has 32 bytes');
  const digest = createHash('sha256').update(KEY_ENCRYPTION).update(key).digest('hex');
  return {
    id: `local-${digest.slice(0, 16)}`,
    wrap: async (wrapped) => encrypted(key, wrapped, KEY_ENCRYPTION),
    unwrap: async (wrapped) => {
      const unwrapped = decrypted(key, wrapped, KEY_ENCRYPTION);
      if (unwrapped === null) throw new ShareUnopened('the key of the share was wrapped by another');
      return unwrapped;
    },
  };
}
