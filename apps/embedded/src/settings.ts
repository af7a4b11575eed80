import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { base62, type Mode } from '@tender/kernel';

/** What `npm start` can be told; the names are decisions §5. */
export interface Settings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly data_dir: string;
  readonly admin_token: string;
  readonly rate_limits: 'default' | 'off';
  readonly webhook_allow_loopback: boolean;
  readonly database_url: string | null;
  /** Chains outside; null for the local one. */
  readonly rpc_urls: Readonly<Record<Mode, string | null>>;
  readonly test_helpers: boolean;
  readonly signup_token: string | null;
  readonly master_key: string | null;
  readonly payment_lifetime_ms: number;
  readonly public_url: string | null;
  readonly log_level: (typeof LOG_LEVELS)[number];
  /** Null: nobody scrapes. 0 takes any free port. */
  readonly metrics_port: number | null;
  /** Null: no traces leave. */
  readonly otlp_endpoint: string | null;
}

/** The first is the default. */
const LOG_LEVELS = ['warn', 'debug', 'info', 'error', 'silent'] as const;

export class SettingsFault extends Error {
  override readonly name = 'SettingsFault';
}

/** Reads and checks the environment; every fault names the variable and what it takes. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const data_dir = path.resolve(env.DATA_DIR || '.data');
  makeFolder(data_dir);
  const rpc_urls = { test: url(env, 'SOLANA_RPC_URL_TEST'), live: url(env, 'SOLANA_RPC_URL_LIVE') };
  const test_helpers = flag(env, 'TEST_HELPERS', rpc_urls.live === null);
  if (test_helpers && rpc_urls.live !== null) {
    throw new SettingsFault(
      'TEST_HELPERS cannot be true with SOLANA_RPC_URL_LIVE: they give money and time away. Unset one of them.',
    );
  }
  return {
    host: env.HOST || '127.0.0.1',
    port: wholeNumber(env, 'PORT', 8080, 0, 65_535),
    data_dir,
    admin_token: adminToken(env, data_dir, rpc_urls.live !== null),
    rate_limits: oneOf(env, 'RATE_LIMITS', ['default', 'off']),
    webhook_allow_loopback: flag(env, 'WEBHOOK_ALLOW_LOOPBACK', rpc_urls.live === null),
    database_url: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    rpc_urls,
    test_helpers,
    signup_token: env.SIGNUP_TOKEN || null,
    master_key: env.MASTER_KEY || null,
    payment_lifetime_ms: 1000 * wholeNumber(env, 'PAYMENT_LIFETIME_SECONDS', 900, 30, 86_400),
    public_url: url(env, 'PUBLIC_URL')?.replace(/\/$/, '') ?? null,
    log_level: oneOf(env, 'LOG_LEVEL', LOG_LEVELS),
    metrics_port: env.METRICS_PORT ? wholeNumber(env, 'METRICS_PORT', 0, 0, 65_535) : null,
    otlp_endpoint: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
  };
}

function makeFolder(data_dir: string): void {
  try {
    mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  } catch {
    throw new SettingsFault(
      `DATA_DIR is ${data_dir}, which cannot be made a folder. Name another.`,
    );
  }
}

function url(
  env: NodeJS.ProcessEnv,
  name: string,
  protocols: readonly string[] = ['http:', 'https:'],
): string | null {
  const text = env[name];
  if (!text) return null;
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
  throw new SettingsFault(`${name} is not a URL that begins with ${protocols.join('// or ')}//.`);
}

function flag(env: NodeJS.ProcessEnv, name: string, fallback: boolean): boolean {
  return oneOf(env, name, fallback ? ['true', 'false'] : ['false', 'true']) === 'true';
}

/** The first of `allowed` is the default. */
function oneOf<const Value extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  allowed: readonly [Value, ...Value[]],
): Value {
  const value = env[name] || allowed[0];
  const found = allowed.find((one) => one === value);
  if (!found) throw new SettingsFault(`${name} is "${value}"; it takes ${allowed.join(' or ')}.`);
  return found;
}

function wholeNumber(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  least: number,
  most: number,
): number {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new SettingsFault(
      `${name} is "${text}"; it takes a whole number from ${least} to ${most}.`,
    );
  }
  return value;
}

/** Too long to be guessed; short enough, and of characters, that the gateway reads and no log line shows. */
const ADMIN_TOKEN_FORM = /^svc_admin_[\w-]{32,500}$/;

function adminToken(env: NodeJS.ProcessEnv, data_dir: string, live: boolean): string {
  if (live && !env.ADMIN_TOKEN) {
    throw new SettingsFault('ADMIN_TOKEN must be set when a live chain is configured.');
  }
  const file = path.join(data_dir, 'admin-token');
  const token = env.ADMIN_TOKEN || keptToken(file);
  if (ADMIN_TOKEN_FORM.test(token)) return token;
  const where = env.ADMIN_TOKEN ? '' : ` in ${file}`;
  throw new SettingsFault(
    `ADMIN_TOKEN${where} must be "svc_admin_" and 32 to 500 letters, digits, "-" or "_" that nobody can guess.`,
  );
}

/** Made once and kept beside the data, readable by its owner alone. */
function keptToken(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const secret = `svc_admin_${base62(randomBytes(32), 43)}`;
  writeFileSync(file, secret, { mode: 0o600 });
  chmodSync(file, 0o600);
  return secret;
}
