import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import {
  base64url,
  challengeFor,
  challengeText,
  type Challenge,
  type Proof,
  type ProvenOperation,
} from '@tender/threshold';
import type { ApprovalOrigin } from '../proof/seen-proof';

/** What the specs, and the attacks, have as the approval page. */
export const APPROVAL: ApprovalOrigin = { origin: 'http://localhost:8090', rp_id: 'localhost' };

export const ALGORITHMS = ['ES256', 'EdDSA', 'RS256'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** What a browser or an authenticator says otherwise than honest ones do. */
export interface ProofChanges {
  readonly client?: Readonly<Record<string, unknown>>;
  readonly rp_id?: string;
  /** Bit 0: a person was there; bit 2: the passkey has made sure who. */
  readonly flags?: number;
  readonly counter?: number;
  readonly nonce?: string;
  readonly expires_ms?: number;
  readonly digest?: string;
}

const PRESENT_AND_VERIFIED = 0b101;
const LIFETIME_MS = 120_000;

/** A passkey as a program: it signs whatever it is asked to. */
export class SoftPasskey {
  readonly credential_id = base64url(randomBytes(32));
  /** COSE, base64url. */
  readonly public_key: string;
  private readonly secret: KeyObject;

  constructor(private readonly algorithm: Algorithm = 'ES256') {
    const { publicKey, privateKey } = keyPair(algorithm);
    this.secret = privateKey;
    this.public_key = base64url(coseOf(algorithm, publicKey));
  }

  /** PKCS #8: with it a browser’s virtual authenticator is this passkey. */
  get private_key(): Buffer {
    return this.secret.export({ format: 'der', type: 'pkcs8' });
  }

  /** What allows an operation, for two minutes from now on. */
  allowing(operation: ProvenOperation, now_ms: number, changes: ProofChanges = {}): Proof {
    const { nonce = randomBytes(16).toString('hex'), expires_ms = now_ms + LIFETIME_MS } = changes;
    const challenge = challengeFor(operation, { nonce, expires_ms });
    const { digest = challenge.digest } = changes;
    return this.signing({ ...challenge, digest }, changes);
  }

  signing(challenge: Challenge, changes: ProofChanges = {}): Proof {
    const { rp_id = APPROVAL.rp_id, flags = PRESENT_AND_VERIFIED, counter = 0 } = changes;
    const said = { type: 'webauthn.get', challenge: challengeText(challenge), origin: APPROVAL.origin };
    const client = Buffer.from(JSON.stringify({ ...said, crossOrigin: false, ...changes.client }));
    const data = Buffer.alloc(37);
    createHash('sha256').update(rp_id).digest().copy(data);
    data.writeUInt8(flags, 32);
    data.writeUInt32BE(counter, 33);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return {
      credential_id: this.credential_id,
      authenticator_data: base64url(data),
      client_data_json: base64url(client),
      signature: base64url(sign(this.algorithm === 'EdDSA' ? null : 'sha256', signed, this.secret)),
    };
  }
}

function keyPair(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return algorithm === 'EdDSA'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
}

/** As authenticators write it. */
function coseOf(algorithm: Algorithm, key: KeyObject): Buffer {
  const { x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' });
  const [hex, bytes] = [(text: string) => Buffer.from(text, 'hex'), (text: string) => Buffer.from(text, 'base64url')];
  if (algorithm === 'ES256') {
    return Buffer.concat([hex('a5010203262001215820'), bytes(x), hex('225820'), bytes(y)]);
  }
  if (algorithm === 'EdDSA') return Buffer.concat([hex('a4010103272006215820'), bytes(x)]);
  return Buffer.concat([hex('a401030339010020590100'), bytes(n), hex('2143'), bytes(e)]);
}
