import { isAddress } from '@tender/adapter-solana';
import { SettingsFault, type Env } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { MINT_SETTINGS, type Mints } from '../networks';
import { readRpcUrls, type RpcUrls } from './rpc-settings';

/** What is set of chains outside. */
export interface OutsideChains {
  readonly rpc_urls: RpcUrls;
  /** Null: those of a known network. */
  readonly mints: Readonly<Record<Mode, Mints | null>>;
  /** The network that live takes in place of mainnet-beta. */
  readonly genesis_live: string | null;
}

/** Throws `SettingsFault`. */
export const readOutsideChains = (env: Env): OutsideChains => ({
  rpc_urls: readRpcUrls(env),
  mints: { test: readMints(env, 'test'), live: readMints(env, 'live') },
  genesis_live: readAddress(env, 'SOLANA_GENESIS_LIVE'),
});

function readMints(env: Env, mode: Mode): Mints | null {
  const [usdc, usdt] = MINT_SETTINGS[mode];
  const [USDC, USDT] = [readAddress(env, usdc), readAddress(env, usdt)];
  if ((USDC === null) !== (USDT === null)) {
    throw new SettingsFault(`${usdc} and ${usdt} are set together, or neither is.`);
  }
  if (USDC !== null && USDC === USDT) {
    throw new SettingsFault(`${usdc} and ${usdt} name the same mint.`);
  }
  return USDC !== null && USDT !== null ? { USDC, USDT } : null;
}

function readAddress(env: Env, name: string): string | null {
  const text = env[name];
  if (!text) return null;
  if (isAddress(text)) return text;
  throw new SettingsFault(`${name} takes 32 bytes in base58, as Solana writes addresses and hashes.`);
}
