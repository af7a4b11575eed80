import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { required, SettingsFault, type Env } from './settings-fault';

/** PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}
export interface ListenSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: Tls | null;
}

const LOOPBACK = '127.0.0.1';
const TLS_NAMES = ['SIGNER_TLS_CERT', 'SIGNER_TLS_KEY', 'SIGNER_TLS_CA'] as const;

/** `HOST`, `PORT`, and the files of `SIGNER_TLS_CERT`, `SIGNER_TLS_KEY`, `SIGNER_TLS_CA`: all three or none. */
export function readListening(env: Env): ListenSettings {
  const host = env['HOST'] || LOOPBACK;
  const port = Number(required(env, 'PORT', 'the port that this signer listens on; 0 takes any.'));
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SettingsFault(`PORT is "${env['PORT']}": it takes a whole number from 0 to 65535.`);
  }
  const tls = readTls(env);
  if (tls === null && !isLoopback(host)) {
    throw new SettingsFault(
      `HOST is ${host}, which other machines reach: set ${TLS_NAMES.join(', ')}, or listen on ${LOOPBACK}.`,
    );
  }
  return { host, port, tls };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function readTls(env: Env): Tls | null {
  const missing = TLS_NAMES.filter((name) => !env[name]);
  if (missing.length === TLS_NAMES.length) return null;
  if (missing.length > 0) {
    throw new SettingsFault(`${missing.join(' and ')} not set: the three SIGNER_TLS_* go together.`);
  }
  const [cert, key, ca] = TLS_NAMES.map((name) => readPem(env, name)) as [string, string, string];
  return { cert, key, ca };
}

function readPem(env: Env, name: string): string {
  try {
    return readFileSync(env[name] as string, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsFault(`${name} names a file that cannot be read (${code}): give a PEM file.`);
  }
}
