import {
  bytesOfBase64url,
  challengeFor,
  isAssertionSigned,
  readChallenge,
  type Challenge,
  type Proof,
  type ProvenOperation,
} from '@tender/threshold';

/** A passkey that this signer knows, from its own ledger. */
export interface PinnedPasskey {
  /** COSE, base64url. */
  readonly public_key: string;
  /** What it counted at its last proof; 0 for those that do not count. */
  readonly counter: number;
}

/** The one page that proofs are made on. */
export interface ApprovalOrigin {
  /** Such as `https://approve.example.com`. */
  readonly origin: string;
  /** Its host name. */
  readonly rp_id: string;
}

/** All that a signer decides by whether a passkey allows an operation. */
export interface ProofRequest {
  /** What is to be done, by what the signer itself knows of the wallet or the passkey. */
  readonly operation: ProvenOperation;
  readonly proof: Proof;
  /** Of this credential and of this merchant; null: the signer knows no such one. */
  readonly passkey: PinnedPasskey | null;
  readonly approval: ApprovalOrigin;
  /** By the signer’s own clock. */
  readonly now_ms: number;
}

/** What a proof says, before it is judged. */
export interface SeenProof extends ProofRequest {
  /** Null: the client data is no JSON object. */
  readonly client: Readonly<Record<string, unknown>> | null;
  readonly challenge: Challenge | null;
  /** Null: it is shorter than the data of any authenticator. */
  readonly authenticator: AuthenticatorData | null;
  /** Hex, of the challenge that this operation has with this nonce and end. */
  readonly digest_due: string | null;
  readonly is_signed: boolean;
}

interface AuthenticatorData {
  /** Hex. */
  readonly rp_id_hash: string;
  readonly user_present: boolean;
  readonly user_verified: boolean;
  readonly counter: number;
}

const AUTHENTICATOR_BYTES = 37;
const [USER_PRESENT, USER_VERIFIED] = [1, 4];

/** Reads a proof; what cannot be read is null, and the guards refuse it. */
export function seenProof(request: ProofRequest): SeenProof {
  const { operation, proof, passkey } = request;
  const [client_bytes, data, signature] = [
    ...[proof.client_data_json, proof.authenticator_data, proof.signature].map(bufferOf),
  ] as [Buffer | null, Buffer | null, Buffer | null];
  const client = client_bytes && objectIn(client_bytes);
  const challenge = client && readChallenge(client['challenge']);
  return {
    ...{ ...request, client, challenge },
    authenticator: data && authenticatorData(data),
    digest_due: challenge && challengeFor(operation, challenge).digest,
    is_signed:
      passkey !== null && client_bytes !== null && data !== null && signature !== null &&
      isAssertionSigned(passkey.public_key, { client_bytes, data, signature }),
  };
}

/** The challenge that a proof says it is over; null: it says none. */
export function challengeIn({ client_data_json }: Pick<Proof, 'client_data_json'>): Challenge | null {
  const bytes = bufferOf(client_data_json);
  const client = bytes && objectIn(bytes);
  return client && readChallenge(client['challenge']);
}

function bufferOf(text: string): Buffer | null {
  const bytes = bytesOfBase64url(text);
  return bytes && Buffer.from(bytes);
}

function objectIn(bytes: Buffer): SeenProof['client'] {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' ? (value as SeenProof['client']) : null;
  } catch {
    return null;
  }
}

function authenticatorData(data: Buffer): AuthenticatorData | null {
  if (data.length < AUTHENTICATOR_BYTES) return null;
  const flags = data.readUInt8(32);
  return {
    rp_id_hash: data.toString('hex', 0, 32),
    user_present: (flags & USER_PRESENT) !== 0,
    user_verified: (flags & USER_VERIFIED) !== 0,
    counter: data.readUInt32BE(33),
  };
}
