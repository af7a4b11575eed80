import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { base64url, bytesOfBase64url } from '../base64url';
import { canonicalBytes, sha256Hex } from '../canonical-bytes';
import type { WalletMode } from '../roster';

/** What a merchant allows by a touch of a signing passkey: exactly this, once. Plain JSON. */
export type ProvenOperation =
  | ({ readonly type: 'unfreeze_operating_wallet' } & OfWallet)
  | ({ readonly type: 'set_operating_wallet_limits'; readonly per_day_cents: number } & OfWallet)
  | ({ readonly type: 'pin_passkey'; readonly public_key: string } & OfPasskey)
  | ({ readonly type: 'unpin_passkey' } & OfPasskey);

interface OfWallet {
  readonly merchant_id: string;
  readonly mode: WalletMode;
  readonly wallet: string;
}
interface OfPasskey {
  readonly merchant_id: string;
  /** Base64url, as WebAuthn names it. */
  readonly credential_id: string;
}

/** What a passkey signs: when it ends, what makes it the only one, and the operation. */
export interface Challenge {
  /** 16 bytes, hex. */
  readonly nonce: string;
  /** Wall time in ms after which no signer takes it. */
  readonly expires_ms: number;
  /** SHA-256 over both and the operation, hex. */
  readonly digest: string;
}

const [NONCE_BYTES, TIME_BYTES, DIGEST_BYTES] = [16, 8, 32];
const DIGEST_AT = NONCE_BYTES + TIME_BYTES;

/** The challenge of one operation: nothing has to be kept for it, because it carries its own nonce and end. */
export function challengeFor(
  operation: ProvenOperation,
  { nonce, expires_ms }: Pick<Challenge, 'nonce' | 'expires_ms'>,
): Challenge {
  const digest = sha256Hex(canonicalBytes('tender.challenge.v1', { nonce, expires_ms, operation }));
  return { nonce, expires_ms, digest };
}

/** As WebAuthn takes it: nonce, end and digest behind each other, base64url. */
export function challengeText({ nonce, expires_ms, digest }: Challenge): string {
  const end = new Uint8Array(TIME_BYTES);
  new DataView(end.buffer).setBigUint64(0, BigInt(expires_ms));
  return base64url(concatBytes(hexToBytes(nonce), end, hexToBytes(digest)));
}

/** Null for a challenge of another form. */
export function readChallenge(text: unknown): Challenge | null {
  const bytes = bytesOfBase64url(text);
  if (bytes?.length !== DIGEST_AT + DIGEST_BYTES) return null;
  const end = new DataView(bytes.buffer, bytes.byteOffset + NONCE_BYTES, TIME_BYTES);
  return {
    nonce: bytesToHex(bytes.subarray(0, NONCE_BYTES)),
    expires_ms: Number(end.getBigUint64(0)),
    digest: bytesToHex(bytes.subarray(DIGEST_AT)),
  };
}
