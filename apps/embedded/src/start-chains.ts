import path from 'node:path';
import type { LocalChain } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { spawnLocalnet } from '@tender/localnet';
import { localChain, type ChainSettings } from '@tender/runtime';
import type { Settings } from './settings';

/** USDC and USDT where no local chain plants them; USDT has no official test mint (solana.md §4). */
const MAINNET_MINTS = {
  USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
};
const DEVNET_MINTS = {
  USDC: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  USDT: MAINNET_MINTS.USDT,
};
const OUTSIDE = {
  test: { network: 'devnet', mints: DEVNET_MINTS },
  live: { network: 'mainnet-beta', mints: MAINNET_MINTS },
} as const;

export interface Chains {
  readonly settings: Readonly<Record<Mode, ChainSettings>>;
  /** Null as soon as one network is outside: nobody gives money or time away there. */
  readonly local: (LocalChain & { close(): Promise<void> }) | null;
  readonly rpc_urls: readonly string[];
  stop(): Promise<void>;
}

/** Both networks: the local child process, unless a mode has an RPC URL of its own. */
export async function startChains(settings: Settings): Promise<Chains> {
  const outside = MODES.some((mode) => settings.rpc_urls[mode] !== null);
  const everything = MODES.every((mode) => settings.rpc_urls[mode] !== null);
  const localnet = everything
    ? null
    : await spawnLocalnet({ dataDir: path.join(settings.data_dir, 'localnet') });
  const settingsOf = (mode: Mode): ChainSettings => {
    const url = settings.rpc_urls[mode];
    if (url !== null) return { ...OUTSIDE[mode], rpc_urls: [url], genesis_hash: null };
    if (!localnet) throw new Error(`there is no chain for ${mode} mode`);
    const { rpc_url, mints, genesis_hash } = localnet.networks[mode];
    return { network: 'localnet', mints, rpc_urls: [rpc_url], genesis_hash };
  };
  const local = localnet && !outside ? localChain(localnet.networks) : null;
  const chains = { test: settingsOf('test'), live: settingsOf('live') };
  return {
    settings: chains,
    local,
    rpc_urls: MODES.flatMap((mode) => chains[mode].rpc_urls),
    async stop() {
      await local?.close();
      await localnet?.stop();
    },
  };
}
