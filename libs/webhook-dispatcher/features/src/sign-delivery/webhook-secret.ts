import { createSecretKey, type KeyObject } from 'node:crypto';
import type { KeyRing } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * `whsec_` and 256 bits in base64. Derived from the command, so that a repeat of the request can show it
 * for 24 hours; after that the key of the day is gone, and nothing makes the secret again (ADR 0003).
 */
export function newSecret(keyRing: KeyRing, mode: Mode, command_id: string, now: number): string {
  const bytes = keyRing.dayBytes(now, `webhook-secret|${mode}|${command_id}`);
  return PREFIX + bytes.subarray(0, SECRET_BYTES).toString('base64');
}

const contextOf = (mode: Mode, merchant_id: string) => `webhook-secret|${mode}|${merchant_id}`;

/** What may be stored: readable only with the key ring, and only as this merchant's secret. */
export const sealSecret = (
  keyRing: KeyRing,
  mode: Mode,
  merchant_id: string,
  secret: string,
): string =>
  keyRing.seal(contextOf(mode, merchant_id), secret);

export const openSecret = (
  keyRing: KeyRing,
  mode: Mode,
  merchant_id: string,
  sealed: string,
): string =>
  keyRing.open(contextOf(mode, merchant_id), sealed);

/** What a secret signs with, in the form that HMACs take as it is. */
export interface SigningKeys {
  /** For `X-Svc-Signature`: the UTF-8 bytes of the whole secret. */
  readonly whole: KeyObject;
  /** For `webhook-signature`: the decoded part after `whsec_`. */
  readonly decoded: KeyObject;
}

const REMEMBERED_MAX = 4096;
const opened = new WeakMap<KeyRing, Map<string, SigningKeys>>();

/** Opened once: a secret that is replaced is another sealed text. */
export function signingKeys(
  keyRing: KeyRing,
  mode: Mode,
  merchant_id: string,
  sealed: string,
): SigningKeys {
  const remembered = opened.get(keyRing) ?? new Map<string, SigningKeys>();
  opened.set(keyRing, remembered);
  const name = `${contextOf(mode, merchant_id)}|${sealed}`;
  const known = remembered.get(name);
  if (known) return known;
  const keys = keysOf(openSecret(keyRing, mode, merchant_id, sealed));
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(name, keys);
  return keys;
}

const keysOf = (secret: string): SigningKeys => ({
  whole: createSecretKey(secret, 'utf8'),
  decoded: createSecretKey(secret.slice(PREFIX.length), 'base64'),
});
