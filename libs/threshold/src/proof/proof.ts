import type { Base64url } from '../base64url';
import { hasShape, isText } from '../has-shape';

/** A WebAuthn assertion by a signing passkey. What is binary is base64url without padding. */
export interface Proof {
  readonly credential_id: string;
  readonly authenticator_data: Base64url;
  readonly client_data_json: Base64url;
  readonly signature: Base64url;
}

const PROOF: Readonly<Record<keyof Proof, typeof isText>> = {
  credential_id: isText,
  authenticator_data: isText,
  client_data_json: isText,
  signature: isText,
};

/** Whether a value from outside has the fields of a proof; what they hold is looked at by who verifies it. */
export const isProof = (value: unknown): value is Proof => hasShape(value, PROOF);
