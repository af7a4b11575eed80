import { base64url, bytesOfBase64url, type Base64url } from './base64url';
import { canonicalBytes, sha256Hex } from './canonical-bytes';
import { hasShape, isText } from './has-shape';
import type { WalletMode } from './roster';

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

/** A WebAuthn assertion by a signing passkey. What is binary is base64url without padding. */
export interface Proof {
  readonly credential_id: string;
  readonly authenticator_data: Base64url;
  readonly client_data_json: Base64url;
  readonly signature: Base64url;
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
  const bytes = Buffer.alloc(DIGEST_AT + DIGEST_BYTES);
  bytes.write(nonce, 'hex');
  bytes.writeBigUInt64BE(BigInt(expires_ms), NONCE_BYTES);
  bytes.write(digest, DIGEST_AT, 'hex');
  return base64url(bytes);
}

/** Null for a challenge of another form. */
export function readChallenge(text: unknown): Challenge | null {
  const bytes = bytesOfBase64url(text);
  if (bytes?.length !== DIGEST_AT + DIGEST_BYTES) return null;
  return {
    nonce: bytes.toString('hex', 0, NONCE_BYTES),
    expires_ms: Number(bytes.readBigUInt64BE(NONCE_BYTES)),
    digest: bytes.toString('hex', DIGEST_AT),
  };
}

const PROOF: Readonly<Record<keyof Proof, typeof isText>> = {
  credential_id: isText,
  authenticator_data: isText,
  client_data_json: isText,
  signature: isText,
};

/** Whether a value from outside has the fields of a proof; what they hold is looked at by who verifies it. */
export const isProof = (value: unknown): value is Proof => hasShape(value, PROOF);
