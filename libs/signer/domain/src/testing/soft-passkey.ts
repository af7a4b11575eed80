import { randomBytes } from 'node:crypto';
import {
  base64url,
  challengeFor,
  challengeText,
  type Challenge,
  type Proof,
  type ProvenOperation,
} from '@tender/threshold';
import {
  authenticatorData,
  passkeyKey,
  signAssertion,
  type Algorithm,
  type PasskeyKey,
} from '@tender/threshold/testing';
import type { ApprovalOrigin } from '../proof/seen-proof';

/** What the specs, and the attacks, have as the approval page. */
export const APPROVAL: ApprovalOrigin = { origin: 'http://localhost:8090', rp_id: 'localhost' };

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

/** A passkey as a program: it signs all that it is asked to. */
export class SoftPasskey {
  readonly credential_id = base64url(randomBytes(32));
  /** COSE, base64url. */
  readonly public_key: string;
  private readonly key: PasskeyKey;

  constructor(algorithm: Algorithm = 'ES256') {
    this.key = passkeyKey(algorithm);
    this.public_key = base64url(this.key.cose);
  }

  /** PKCS #8: with it a browser’s virtual authenticator is this passkey. */
  get private_key(): Buffer {
    return this.key.secret.export({ format: 'der', type: 'pkcs8' });
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
    const data = authenticatorData({ rp_id, flags, counter });
    return {
      credential_id: this.credential_id,
      authenticator_data: base64url(data),
      client_data_json: base64url(client),
      signature: base64url(signAssertion(this.key, data, client)),
    };
  }
}
