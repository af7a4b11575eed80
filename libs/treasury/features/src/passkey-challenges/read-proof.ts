import { base64url, bytesOfBase64url, type Proof } from '@tender/threshold';

/** Far more than any authenticator says. */
const BYTES_MAX = 4_096;
const BASE64 = /^[\w+/-]*={0,2}$/;

/**
 * The proof in a request, in the one form that signers take: `credential_id` is base64url; each of the other three
 * comes as integers from 0 to 255, as base64 or as base64url (specification §2.5). Null for all else.
 */
export function readProof(value: object): Proof | null {
  const { credential_id, ...binary } = value as Readonly<Record<string, unknown>>;
  const authenticator_data = readBytes(binary['authenticator_data']);
  const client_data_json = readBytes(binary['client_data_json']);
  const signature = readBytes(binary['signature']);
  const id = bytesOfBase64url(credential_id);
  if (!id || !authenticator_data || !client_data_json || !signature) return null;
  return { credential_id: base64url(id), authenticator_data, client_data_json, signature };
}

/** Base64url; null where it is none of the three, empty or too much. */
function readBytes(value: unknown): string | null {
  const bytes = Array.isArray(value) ? bytesOfList(value) : bytesOfText(value);
  return bytes && bytes.length > 0 && bytes.length <= BYTES_MAX ? base64url(bytes) : null;
}

const isByte = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;

const bytesOfList = (values: readonly unknown[]): Uint8Array | null =>
  values.every(isByte) ? Uint8Array.from(values) : null;

function bytesOfText(value: unknown): Uint8Array | null {
  if (typeof value !== 'string' || !BASE64.test(value)) return null;
  return bytesOfBase64url(value.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'));
}
