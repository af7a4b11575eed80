import { createHash } from 'node:crypto';
import { invariant } from '@tender/kernel';
import canonicalize from 'canonicalize';

/**
 * What is signed, hashed or authenticated of plain JSON: a tag that says what it is, a line feed, and the one way
 * to write the value (RFC 8785). No raw line feed stands in that, so nothing can pass for something with another tag.
 */
export function canonicalBytes(tag: string, value: unknown): Buffer {
  const text = canonicalize(value);
  invariant(text !== undefined, 'only JSON is signed');
  return Buffer.from(`${tag}\n${text}`);
}

export const sha256Hex = (...parts: readonly Uint8Array[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
