import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { cbor, type Cbor } from './cbor';

export const ALGORITHMS = ['ES256', 'EdDSA', 'RS256'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** The key pair of a passkey that is a program. */
export interface PasskeyKey {
  /** As authenticators write it. */
  readonly cose: Buffer;
  readonly secret: KeyObject;
}

export function passkeyKey(algorithm: Algorithm): PasskeyKey {
  const { publicKey, privateKey } = keyPair(algorithm);
  return { cose: cbor(coseOf(algorithm, publicKey)), secret: privateKey };
}

function keyPair(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return algorithm === 'EdDSA'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
}

/** Labels and values of RFC 9053. */
function coseOf(algorithm: Algorithm, key: KeyObject): Cbor {
  const { x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' });
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  if (algorithm === 'ES256') {
    return new Map<number, Cbor>([[1, 2], [3, -7], [-1, 1], [-2, bytes(x)], [-3, bytes(y)]]);
  }
  if (algorithm === 'EdDSA') return new Map<number, Cbor>([[1, 1], [3, -8], [-1, 6], [-2, bytes(x)]]);
  return new Map<number, Cbor>([[1, 3], [3, -257], [-1, bytes(n)], [-2, bytes(e)]]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

export interface SaidOfDevice {
  readonly rp_id: string;
  /** Bit 0: a person was there; bit 2: the passkey has made sure who; bit 6: a new credential follows. */
  readonly flags: number;
  readonly counter: number;
}

/** The 37 bytes with which an authenticator begins. */
export function authenticatorData({ rp_id, flags, counter }: SaidOfDevice): Buffer {
  const data = Buffer.alloc(37);
  sha256(rp_id).copy(data);
  data.writeUInt8(flags, 32);
  data.writeUInt32BE(counter, 33);
  return data;
}

/** Over what the authenticator and the browser say. */
export function signAssertion({ secret }: PasskeyKey, data: Buffer, client: Buffer): Buffer {
  const digest = secret.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return sign(digest, Buffer.concat([data, sha256(client)]), secret);
}
