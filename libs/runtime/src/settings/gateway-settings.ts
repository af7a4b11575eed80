import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { readFlag, readOneOf, readWholeNumber, SettingsFault, type Env } from '@tender/eventing';
import { base62 } from '@tender/kernel';
import { keptText } from './kept-text';
import { readAdminNetworks, readTrustedProxies } from './trusted-proxies';
import { readRpcUrls } from './rpc-settings';

/** What is set for the gateway, in either run; the names are specification §5. */
export interface GatewaySettings {
  readonly admin_token: string;
  readonly rate_limits: 'default' | 'off';
  readonly test_helpers: boolean;
  readonly signup_token: string | null;
  /** CIDR ranges. */
  readonly trusted_proxies: readonly string[];
  /** CIDR ranges from which `/admin` is there; undefined: from everywhere. */
  readonly admin_networks: readonly string[] | undefined;
  /** Event streams that one address may have open. */
  readonly streams_per_address: number;
}

/** `data_dir` keeps the operator's token when none is given. */
export function readGatewaySettings(env: Env, data_dir: string): GatewaySettings {
  const live = readRpcUrls(env).live.length > 0;
  const test_helpers = readFlag(env, 'TEST_HELPERS', !live);
  if (test_helpers && live) {
    throw new SettingsFault(
      'TEST_HELPERS cannot be true with SOLANA_RPC_URL_LIVE: they give money and time away. Unset one of them.',
    );
  }
  return {
    admin_token: adminToken(env, data_dir, live),
    rate_limits: readOneOf(env, 'RATE_LIMITS', ['default', 'off']),
    test_helpers,
    signup_token: env.SIGNUP_TOKEN || null,
    trusted_proxies: readTrustedProxies(env),
    admin_networks: readAdminNetworks(env),
    streams_per_address: readWholeNumber(env, 'STREAMS_PER_ADDRESS', 20, 1, 10_000),
  };
}

/** Too long to be guessed; short enough, and of characters, that the gateway reads and no log line shows. */
const ADMIN_TOKEN_FORM = /^svc_admin_[\w-]{32,500}$/;

function adminToken(env: NodeJS.ProcessEnv, data_dir: string, live: boolean): string {
  if (live && !env.ADMIN_TOKEN) {
    throw new SettingsFault('ADMIN_TOKEN must be set when a live chain is configured.');
  }
  const file = path.join(data_dir, 'admin-token');
  const token = env.ADMIN_TOKEN || keptText(file, () => `svc_admin_${base62(randomBytes(32), 43)}`);
  if (ADMIN_TOKEN_FORM.test(token)) return token;
  const where = env.ADMIN_TOKEN ? '' : ` in ${file}`;
  throw new SettingsFault(
    `ADMIN_TOKEN${where} must be "svc_admin_" and 32 to 500 letters, digits, "-" or "_" that nobody can guess.`,
  );
}
