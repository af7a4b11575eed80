import { hash } from 'node:crypto';
import { bytesOfIdCharacters, base62, idCharacters, uuidOf } from '@tender/kernel';
import type { KeyRing } from '@tender/eventing';

/** Business time (specification §2.13). */
export const SETUP_MS = 30 * 60_000;
const SECRET_CHARACTERS = 43;
const TOKEN = /^svc_setup_([0-9A-Za-z]{22})[0-9A-Za-z]{43}$/;

/**
 * `svc_setup_`, whose it is, and 256 bits that derive from the command that made it: the same command gives the same
 * token for a day, so that a repeat of a create shows the same link, and nothing can show it later (ADR 0003).
 */
export function setupTokenOf(
  keyRing: KeyRing,
  merchant_id: string,
  { command_id, issued_ms }: { readonly command_id: string; readonly issued_ms: number },
): string {
  const secret = keyRing.dayBytes(issued_ms, `passkey-setup|${command_id}`);
  const owner = idCharacters(Buffer.from(merchant_id.replaceAll('-', ''), 'hex'));
  return `svc_setup_${owner}${base62(secret.subarray(0, 32), SECRET_CHARACTERS)}`;
}

/** The merchant that a token names, whether or not there is one; null for text that has not the form of a token. */
export function merchantInSetupToken(token: string): string | null {
  const [, owner = ''] = TOKEN.exec(token) ?? [];
  const bytes = bytesOfIdCharacters(owner);
  return bytes && uuidOf(bytes);
}

/** SHA-256, hex: all that is stored of a token. */
export const hashOfSetupToken = (token: string): string => hash('sha256', token);

/** The token follows a `#`: browsers send it to no server, so that no log of one has it. */
export const setupUrlOf = (approval_url: string, token: string): string =>
  `${approval_url}/passkey-setup#${token}`;
