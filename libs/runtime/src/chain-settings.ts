import type { Chain, Log } from '@tender/eventing';
import { solanaChain } from '@tender/adapter-solana';
import type { Clock, Mode } from '@tender/kernel';

export interface ChainSettings {
  readonly network: Chain['network'];
  readonly rpc_urls: readonly string[];
  readonly mints: Chain['mints'];
  /** The network that it must be; null where any is taken. */
  readonly genesis_hash: string | null;
}

/** One local network, as its process describes it. */
export interface LocalNetworkSettings {
  readonly rpc_url: string;
  readonly ws_url: string;
  readonly mints: { readonly USDC: string; readonly USDT: string };
  readonly fee_payer: string;
  readonly genesis_hash: string;
}

/** USDC and USDT where no local chain plants them; USDT has no official test mint. */
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

/** `confirmed` in test, `finalized` in live (specification §2.7). */
const COMMITMENTS = { test: 'confirmed', live: 'finalized' } as const;

/** A mode's chain: the one outside where it has an RPC URL, else the local one. */
export function chainSettings(
  mode: Mode,
  rpc_url: string | null,
  local: LocalNetworkSettings | null,
): ChainSettings {
  if (rpc_url !== null) return { ...OUTSIDE[mode], rpc_urls: [rpc_url], genesis_hash: null };
  if (!local) throw new Error(`there is no chain for ${mode} mode`);
  const { mints, genesis_hash } = local;
  return { network: 'localnet', mints, rpc_urls: [local.rpc_url], genesis_hash };
}

/** Asks nothing of the network before it is used. The caller closes it. */
export function modeChain(
  mode: Mode,
  { network, rpc_urls, mints, genesis_hash }: ChainSettings,
  clock: Clock,
  log: Log,
) {
  return solanaChain({
    network,
    commitment: COMMITMENTS[mode],
    endpoints: rpc_urls,
    mints,
    expectedGenesis: genesis_hash,
    clock,
    log,
  });
}
