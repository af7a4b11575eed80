import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ClientCertificate } from '@tender/adapter-signers';
import { readRequired, readUrl, SettingsFault, type Env } from '@tender/eventing';
import { keptText } from './kept-text';
import { readSecretFile } from './secret-file';

/** Where treasury finds the signers, and by which keys each knows the other. */
export interface SignerSettings {
  readonly urls: Readonly<Record<'A' | 'B', string>>;
  /** Base58. */
  readonly identity_keys: Readonly<Record<'A' | 'B', string>>;
  /** Of treasury’s own identity. */
  readonly identity_seed: Uint8Array;
  /** The public key that shares for disasters are sealed to, base64. */
  readonly recovery_key: string;
  readonly certificate: ClientCertificate | null;
}

/** All of them are set, or none. */
const TOGETHER = [
  ...['SIGNER_A_URL', 'SIGNER_B_URL', 'SIGNER_A_IDENTITY', 'SIGNER_B_IDENTITY'],
  'RECOVERY_PUBLIC_KEY',
] as const;
const IDENTITY_FILE = 'TREASURY_IDENTITY_FILE';
export const SIGNER_SETTINGS = [...TOGETHER, IDENTITY_FILE] as const;
export const SIGNER_CERTIFICATE_SETTINGS = [
  'SIGNER_TLS_CERT',
  'SIGNER_TLS_KEY',
  'SIGNER_TLS_CA',
] as const;

const KEY_BYTES = 32;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/** Null where no signer is named: there are no operating wallets then. Throws `SettingsFault`. */
export function readSignerSettings(env: Env, data_dir: string): SignerSettings | null {
  if (!env['SIGNER_A_URL'] && !env['SIGNER_B_URL']) return null;
  for (const name of TOGETHER) readRequired(env, name, 'Treasury reaches both signers, or none.');
  const certificate = readCertificate(env);
  const urls = { A: placeOf(env, 'SIGNER_A_URL'), B: placeOf(env, 'SIGNER_B_URL') };
  for (const [role, url] of Object.entries(urls)) {
    if (certificate !== null || LOOPBACK.test(new URL(url).hostname)) continue;
    throw new SettingsFault(
      `SIGNER_${role}_URL leads to another machine: set ${SIGNER_CERTIFICATE_SETTINGS.join(', ')}, which both sides show.`,
    );
  }
  const identity_keys = { A: readKey(env, 'SIGNER_A_IDENTITY'), B: readKey(env, 'SIGNER_B_IDENTITY') };
  if (urls.A === urls.B || identity_keys.A === identity_keys.B) {
    throw new SettingsFault('SIGNER_A_… and SIGNER_B_… name one signer: each share is held by another one.');
  }
  return {
    ...{ urls, identity_keys, certificate },
    identity_seed: readIdentitySeed(env, data_dir),
    recovery_key: readRecoveryKey(env),
  };
}

/** The seed of treasury’s identity; made in the data folder where no file is named. */
export function readIdentitySeed(env: Env, data_dir: string): Uint8Array {
  const own = path.join(data_dir, 'treasury-identity');
  const file = env[IDENTITY_FILE] || own;
  if (file === own) keptText(own, () => randomBytes(KEY_BYTES).toString('base64'));
  return bytesOf(readSecretFile(IDENTITY_FILE, file), `${IDENTITY_FILE} names ${file}, which`);
}

function placeOf(env: Env, name: string): string {
  const url = new URL(readUrl(env, name) ?? '');
  if (url.pathname === '/' && !url.search) return url.origin;
  throw new SettingsFault(`${name} takes an origin, such as https://signer-a.internal:8443.`);
}

function readKey(env: Env, name: string): string {
  const text = env[name] ?? '';
  if (ADDRESS.test(text)) return text;
  throw new SettingsFault(`${name} takes what \`identity\` of that signer’s program prints as identity_key.`);
}

function readRecoveryKey(env: Env): string {
  const text = env['RECOVERY_PUBLIC_KEY'] ?? '';
  bytesOf(text, 'RECOVERY_PUBLIC_KEY');
  return text;
}

function bytesOf(text: string, what: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === KEY_BYTES && bytes.toString('base64') === text) return bytes;
  throw new SettingsFault(`${what} takes ${KEY_BYTES} bytes in base64.`);
}

function readCertificate(env: Env): ClientCertificate | null {
  const [cert, key, ca] = SIGNER_CERTIFICATE_SETTINGS.map((name) => env[name]);
  if (!cert && !key && !ca) return null;
  if (!cert || !key || !ca) {
    throw new SettingsFault(`${SIGNER_CERTIFICATE_SETTINGS.join(', ')} are set together, or none is.`);
  }
  return {
    cert: readPem('SIGNER_TLS_CERT', cert),
    key: readSecretFile('SIGNER_TLS_KEY', key),
    ca: readPem('SIGNER_TLS_CA', ca),
  };
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new SettingsFault(`${name} names ${file}, which is no file that can be read.`);
  }
}
