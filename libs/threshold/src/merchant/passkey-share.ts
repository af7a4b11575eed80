import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64, bytesOfBase64 } from '@tender/transactions';
import { canonicalBytes } from '../canonical-bytes';
import type { KeyShare } from '../key-share';
import { ShareUnopened } from '../share-unopened';
import { bytesOfShare, shareOfBytes } from './share-bytes';

const PRF_BYTES = 32;
const NONCE_BYTES = 12;
const PURPOSE = utf8ToBytes('tender.passkey-share.v1');

type WebKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Of which wallet a share C is. */
export interface PasskeyShareOf {
  readonly wallet: string;
  readonly epoch: number;
}

/**
 * Share C under the secret that a passkey's PRF extension gives to the page that asks, base64: HKDF-SHA256 and
 * AES-256-GCM, with wallet and epoch authenticated. Only that passkey, used by its owner, opens it.
 */
export async function wrapShare(share: KeyShare, prf: Uint8Array): Promise<string> {
  const key = await keyOf(prf);
  const nonce = randomBytes(NONCE_BYTES);
  const plain = bytesOfShare(share);
  try {
    const about = { name: 'AES-GCM', iv: owned(nonce), additionalData: owned(aboutOf(share)) };
    const sealed = await crypto.subtle.encrypt(about, key, owned(plain));
    return base64(concatBytes(nonce, new Uint8Array(sealed)));
  } finally {
    plain.fill(0);
  }
}

/**
 * The share C that was wrapped so. Rejects with `ShareUnopened` for another passkey, wallet or epoch, or where the text
 * was changed.
 */
export async function unwrapShare(
  sealed: string,
  prf: Uint8Array,
  of: PasskeyShareOf,
): Promise<KeyShare> {
  const key = await keyOf(prf);
  const bytes = bytesOfBase64(sealed) ?? new Uint8Array();
  const plain = await decrypted(key, bytes, aboutOf(of));
  const share = plain && shareOfBytes(plain, { role: 'C', wallet: of.wallet, epoch: of.epoch });
  plain?.fill(0);
  if (share) return share;
  throw new ShareUnopened('the share is not wrapped by this passkey, or is of another wallet');
}

async function keyOf(prf: Uint8Array): Promise<WebKey> {
  if (prf.length !== PRF_BYTES) throw new ShareUnopened('a passkey gives a secret of 32 bytes');
  const key = hkdf(sha256, prf, undefined, PURPOSE, 32);
  try {
    const usages = ['encrypt', 'decrypt'] as const;
    return await crypto.subtle.importKey('raw', owned(key), 'AES-GCM', false, [...usages]);
  } finally {
    key.fill(0);
  }
}

async function decrypted(
  key: WebKey,
  bytes: Uint8Array,
  about: Uint8Array,
): Promise<Uint8Array | null> {
  try {
    const iv = owned(bytes.subarray(0, NONCE_BYTES));
    const sealed = owned(bytes.subarray(NONCE_BYTES));
    const additionalData = owned(about);
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed);
    return new Uint8Array(plain);
  } catch {
    return null;
  }
}

const aboutOf = ({ wallet, epoch }: PasskeyShareOf): Uint8Array =>
  canonicalBytes('tender.passkey-share.v1', [wallet, epoch]);

/** As WebCrypto is typed: bytes that share their memory with no other thread, which all of ours are. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;
