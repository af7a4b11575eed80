import { SettingsFault, type Chain, type Log } from '@tender/eventing';
import { solanaChain, type Admission } from '@tender/adapter-solana';
import type { Clock, Mode } from '@tender/kernel';
import { admitNetwork, DEVNET, knownNetwork, MAINNET } from './networks';
import type { OutsideChains } from './settings/outside-chains';
import { RPC_URL_SETTINGS } from './settings/rpc-settings';

export interface ChainSettings {
  /** Until a node has named it. */
  readonly network: Chain['network'];
  readonly rpc_urls: readonly string[];
  readonly mints: Chain['mints'];
  /** The network that it must be; null where any is taken. */
  readonly genesis_hash: string | null;
  /** Judges what the nodes of a chain outside name. */
  readonly admit?: (genesis_hash: string) => Admission;
}

/** One local network, as its process describes it. */
export interface LocalNetworkSettings {
  readonly rpc_url: string;
  readonly ws_url: string;
  readonly mints: { readonly USDC: string; readonly USDT: string };
  readonly fee_payer: string;
  readonly genesis_hash: string;
}

/** `confirmed` in test, `finalized` in live (specification §2.7). */
const COMMITMENTS = { test: 'confirmed', live: 'finalized' } as const;

type LocalNetworks = Readonly<Record<Mode, LocalNetworkSettings>>;

/** The chain of each mode: the one outside where it has nodes, else the local one. */
export function chainSettings(
  outside: OutsideChains,
  local: LocalNetworks | null,
): Readonly<Record<Mode, ChainSettings>> {
  const of = (mode: Mode) => {
    if (outside.rpc_urls[mode].length > 0) return outsideChain(mode, outside, local);
    if (local) return localSettings(local[mode]);
    const name = RPC_URL_SETTINGS[mode];
    throw new SettingsFault(`${name} is not set, and neither is LOCALNET: one of them names the chain.`);
  };
  return { test: of('test'), live: of('live') };
}

const localSettings = ({ mints, rpc_url, genesis_hash }: LocalNetworkSettings): ChainSettings => ({
  network: 'localnet',
  ...{ mints, rpc_urls: [rpc_url], genesis_hash },
});

function outsideChain(
  mode: Mode,
  { rpc_urls, mints: set, genesis_live }: OutsideChains,
  local: LocalNetworks | null,
): ChainSettings {
  const live_outside = genesis_live ?? MAINNET.genesis_hash;
  const must_be = mode === 'live' ? live_outside : null;
  const known = must_be === null ? DEVNET : knownNetwork(must_be);
  const given = set[mode];
  const mints = given ?? (known ?? MAINNET).mints;
  const rules = { mode, must_be, must_not_be: otherChain(), mints, mints_set: given !== null };
  return {
    network: given && mode === 'test' ? 'localnet' : (known?.network ?? 'localnet'),
    rpc_urls: rpc_urls[mode],
    mints,
    genesis_hash: must_be,
    admit: (genesis_hash) => admitNetwork(rules, genesis_hash),
  };

  /** Live is sure of its chain beforehand; test is only when it is the local one. */
  function otherChain(): string | null {
    if (mode === 'live') return rpc_urls.test.length > 0 ? null : (local?.test.genesis_hash ?? null);
    return rpc_urls.live.length > 0 ? live_outside : (local?.live.genesis_hash ?? null);
  }
}

/** Asks a network outside which one it is, and nothing of a local one before it is used. The caller closes it. */
export function modeChain(
  mode: Mode,
  { network, rpc_urls, mints, genesis_hash, admit }: ChainSettings,
  clock: Clock,
  log: Log,
) {
  return solanaChain({
    network,
    commitment: COMMITMENTS[mode],
    endpoints: rpc_urls,
    mints,
    expectedGenesis: genesis_hash,
    admit,
    clock,
    log,
  });
}
