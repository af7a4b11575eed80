import { base64, bytesOfBase64 } from '@tender/transactions';

/** Bytes as WebAuthn writes them: base64 in the alphabet of URLs, without padding. In browsers, too. */
export type Base64url = string;

export const base64url = (bytes: Uint8Array): Base64url =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const FORM = /^[\w-]+$/;

/** Null unless it is the one way to write its bytes, of which there is at least one. */
export function bytesOfBase64url(text: unknown): Uint8Array | null {
  if (typeof text !== 'string' || !FORM.test(text)) return null;
  const padded = text.padEnd(Math.ceil(text.length / 4) * 4, '=');
  return bytesOfBase64(padded.replaceAll('-', '+').replaceAll('_', '/'));
}
