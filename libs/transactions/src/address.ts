import bs58 from 'bs58';

/** An address, a blockhash, a reference: 32 bytes in base58. */
export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** The base58 text of bytes. */
export const base58 = (bytes: Uint8Array): string => bs58.encode(bytes);

/** The bytes of an address; null where the text is none, or is not written as the chain writes it. */
export const keyBytes = (text: string): Uint8Array | null => bytesOfBase58(text, KEY_BYTES);

/** Zeros stand in a transaction for the signature of who has not signed. */
export const isSigned = (signature: Uint8Array): boolean => signature.some((byte) => byte !== 0);

/** The bytes of a transaction's signature; null where the text is none, such as one of zeros. */
export function signatureBytes(text: string): Uint8Array | null {
  const bytes = bytesOfBase58(text, SIGNATURE_BYTES);
  return bytes !== null && isSigned(bytes) ? bytes : null;
}

/** The bytes of base58 text that has so many of them; null for other text. */
export function bytesOfBase58(text: string, length: number): Uint8Array | null {
  // Base58 of n bytes has at most 1.37 n characters: longer text is not decoded, which takes the square of its length.
  if (text.length > length * 1.4) return null;
  const bytes = bs58.decodeUnsafe(text);
  return bytes?.length === length ? bytes : null;
}
