import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { invariant } from '@tender/kernel';
import canonicalize from 'canonicalize';

/**
 * What is signed, hashed or authenticated of plain JSON: a tag that says what it is, a line feed, and the one way
 * to write the value (RFC 8785). No raw line feed stands in that, so nothing can pass for something with another tag.
 */
export const canonicalBytes = (tag: string, value: unknown): Uint8Array =>
  utf8ToBytes(`${tag}\n${canonicalText(value)}`);

function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  invariant(text !== undefined, 'only JSON is signed');
  return text;
}

/** Whether two values are the same JSON. */
export const isSame = (one: unknown, other: unknown): boolean =>
  canonicalText(one) === canonicalText(other);

/** In browsers, too. */
export const sha256Hex = (...parts: readonly Uint8Array[]): string => {
  const hash = sha256.create();
  for (const part of parts) hash.update(part);
  return bytesToHex(hash.digest());
};
