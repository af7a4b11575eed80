import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** A credential’s public key, ready to verify with. */
export interface CredentialKey {
  readonly key: KeyObject;
  /** Null: the algorithm has its own. */
  readonly hash: 'sha256' | null;
}

type Value = number | Buffer;
type CoseMap = ReadonlyMap<number, Value>;

/** Of COSE (RFC 9052, 9053): what is the same for all keys. */
const [TYPE, ALGORITHM] = [1, 3];
const [ES256, EDDSA, RS256] = [-7, -8, -257];
const [OKP, EC2, RSA] = [1, 2, 3];
const [P_256, ED25519] = [1, 6];
const RSA_BYTES_MIN = 256;

/**
 * The key that a passkey was registered with: ES256, EdDSA (Ed25519) or RS256 of 2048 bits or more, in the one way in
 * which authenticators write it (CTAP 2). Null for anything else.
 */
export function credentialKey(cose: Uint8Array): CredentialKey | null {
  const map = readMap(Buffer.from(cose));
  const known = map && jwkOf(map);
  if (!known) return null;
  try {
    return { key: createPublicKey({ key: known.jwk, format: 'jwk' }), hash: known.hash };
  } catch {
    // A point that is on no curve.
    return null;
  }
}

interface Known extends Pick<CredentialKey, 'hash'> {
  readonly jwk: JsonWebKey;
}

function jwkOf(map: CoseMap): Known | null {
  const text = (label: number, bytes: number): string | null => {
    const value = map.get(label);
    return Buffer.isBuffer(value) && value.length >= bytes ? value.toString('base64url') : null;
  };
  const is = (type: number, algorithm: number): boolean =>
    map.get(TYPE) === type && map.get(ALGORITHM) === algorithm;
  if (is(EC2, ES256) && map.get(-1) === P_256) {
    const [x, y] = [text(-2, 32), text(-3, 32)];
    return x && y && map.size === 5 ? { jwk: { kty: 'EC', crv: 'P-256', x, y }, hash: 'sha256' } : null;
  }
  if (is(OKP, EDDSA) && map.get(-1) === ED25519) {
    const x = text(-2, 32);
    return x && map.size === 4 ? { jwk: { kty: 'OKP', crv: 'Ed25519', x }, hash: null } : null;
  }
  if (!is(RSA, RS256)) return null;
  const [n, e] = [text(-1, RSA_BYTES_MIN), text(-2, 3)];
  return n && e && map.size === 4 ? { jwk: { kty: 'RSA', n, e }, hash: 'sha256' } : null;
}

/** CBOR (RFC 8949), as far as keys need it. */
const [POSITIVE, NEGATIVE, BYTES, MAP] = [0, 1, 2, 5];

/** A map of small numbers to small numbers or bytes, with nothing behind it; null for anything else. */
function readMap(bytes: Buffer): CoseMap | null {
  const head = readHead(bytes, 0);
  if (head?.major !== MAP) return null;
  const map = new Map<number, Value>();
  let { at } = head;
  for (let left = head.value; left > 0; left -= 1) {
    const label = readValue(bytes, at);
    const value = label && readValue(bytes, label.at);
    if (!value || typeof label.value !== 'number' || map.has(label.value)) return null;
    map.set(label.value, value.value);
    ({ at } = value);
  }
  return at === bytes.length ? map : null;
}

function readValue(bytes: Buffer, from: number): { value: Value; at: number } | null {
  const head = readHead(bytes, from);
  if (head === null) return null;
  const { major, value, at } = head;
  if (major === POSITIVE) return { value, at };
  if (major === NEGATIVE) return { value: -1 - value, at };
  const end = at + value;
  if (major !== BYTES || end > bytes.length) return null;
  return { value: bytes.subarray(at, end), at: end };
}

/** Lengths and numbers up to two bytes: no key of a passkey has a longer one. */
function readHead(bytes: Buffer, at: number): { major: number; value: number; at: number } | null {
  const first = bytes[at];
  if (first === undefined) return null;
  const [major, short] = [first >> 5, first & 31];
  if (short < 24) return { major, value: short, at: at + 1 };
  if (short === 24 && at + 2 <= bytes.length) {
    return { major, value: bytes.readUInt8(at + 1), at: at + 2 };
  }
  return short === 25 && at + 3 <= bytes.length
    ? { major, value: bytes.readUInt16BE(at + 1), at: at + 3 }
    : null;
}
