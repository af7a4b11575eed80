import { MODES, type Mode } from '@tender/kernel';
import { DEVNET_MINTS, keyBytes, MAINNET_MINTS } from '@tender/transactions';
import { SettingsFault, type Env } from './settings-fault';

/** The chain of one mode. */
export interface ChainSettings {
  readonly rpc_urls: readonly string[];
  readonly genesis_hash: string;
  readonly mints: Readonly<Record<'USDC' | 'USDT', string>>;
  /** Of no public network: what it moves is worth nothing. */
  readonly is_local: boolean;
}

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const TESTNET = '4uhcVJyU9pJkvQyUS88uRDiswHXSCkY3zQawwpjk2NsY';
const PUBLIC_NETWORKS = [MAINNET, DEVNET, TESTNET];
const GENESIS: Readonly<Record<Mode, string>> = { test: DEVNET, live: MAINNET };

const MINTS: Readonly<Record<Mode, ChainSettings['mints']>> = {
  ...{ test: DEVNET_MINTS, live: MAINNET_MINTS },
};

/**
 * `SOLANA_RPC_URL_TEST`, `SOLANA_GENESIS_TEST`, `USDC_MINT_TEST`, `USDT_MINT_TEST`, and `SOLANA_RPC_URL_LIVE`,
 * `SOLANA_GENESIS_LIVE`, `USDC_MINT_LIVE`, `USDT_MINT_LIVE`.
 */
export function readChains(env: Env): Readonly<Record<Mode, ChainSettings>> {
  const [test, live] = MODES.map((mode) => readChain(env, mode)) as [ChainSettings, ChainSettings];
  if (test.genesis_hash === live.genesis_hash) {
    throw new SettingsFault(
      'SOLANA_GENESIS_TEST and SOLANA_GENESIS_LIVE name one network: test and live never share one.',
    );
  }
  const shared = test.rpc_urls.find((url) => live.rpc_urls.includes(url));
  if (shared) {
    throw new SettingsFault(
      'SOLANA_RPC_URL_TEST and SOLANA_RPC_URL_LIVE name the same node: test and live never share one.',
    );
  }
  return { test, live };
}

function readChain(env: Env, mode: Mode): ChainSettings {
  const suffix = mode.toUpperCase();
  const genesis_hash = readAddress(env, `SOLANA_GENESIS_${suffix}`, GENESIS[mode]);
  return {
    rpc_urls: readUrls(env, `SOLANA_RPC_URL_${suffix}`),
    genesis_hash,
    mints: {
      USDC: readAddress(env, `USDC_MINT_${suffix}`, MINTS[mode].USDC),
      USDT: readAddress(env, `USDT_MINT_${suffix}`, MINTS[mode].USDT),
    },
    is_local: !PUBLIC_NETWORKS.includes(genesis_hash),
  };
}

function readUrls(env: Env, name: string): readonly string[] {
  const urls = (env[name] ?? '').split(',').map((one) => one.trim()).filter(Boolean);
  if (urls.length === 0) {
    throw new SettingsFault(
      `${name} is not set: it names the nodes that this signer itself believes, separated by commas.`,
    );
  }
  for (const url of urls) {
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) continue;
    throw new SettingsFault(`${name} names what is no URL that begins with http:// or https://.`);
  }
  return urls;
}

function readAddress(env: Env, name: string, fallback: string): string {
  const text = env[name] || fallback;
  if (keyBytes(text) !== null) return text;
  throw new SettingsFault(`${name} is no address: 32 bytes in base58 are.`);
}
