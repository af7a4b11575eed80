/** Bytes as WebAuthn writes them: base64 in the alphabet of URLs, without padding. */
export type Base64url = string;

export const base64url = (bytes: Uint8Array): Base64url => Buffer.from(bytes).toString('base64url');

/** Null unless it is the one way to write its bytes. */
export function bytesOfBase64url(text: unknown): Buffer | null {
  if (typeof text !== 'string') return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
