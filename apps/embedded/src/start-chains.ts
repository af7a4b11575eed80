import path from 'node:path';
import type { Keep, LocalChain, Log } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import type { LocalnetNetworks } from '@tender/localnet';
import { localnetIn } from '@tender/localnet/spawn';
import { chainSettings, localChain, type ChainSettings, type LocalFeeWallets } from '@tender/runtime';
import type { Settings } from './settings';

const LOCALNET = 'localnet';

export interface Chains {
  readonly settings: Readonly<Record<Mode, ChainSettings>>;
  /** Null as soon as one network is outside: Tender can give no money or time away there. */
  readonly local: (LocalChain & { close(): Promise<void> }) | null;
  /** The local chains; null where both modes have nodes outside. */
  readonly networks: LocalnetNetworks | null;
  /** Of the local chains; none as soon as one network is outside. */
  readonly local_rpc_urls: readonly string[];
  /** Gives the fee wallets what they need on the local chains. */
  fundFeeWallets(): Promise<void>;
  stop(): Promise<void>;
}

/** Both networks: the local child process, unless a mode has an RPC URL of its own. */
export async function startChains(
  settings: Settings,
  log: Log,
  keep: Keep,
  fee_wallets: LocalFeeWallets,
): Promise<Chains> {
  const { rpc_urls } = settings.outside;
  const outside = MODES.some((mode) => rpc_urls[mode].length > 0);
  const everything = MODES.every((mode) => rpc_urls[mode].length > 0);
  const localnet = everything
    ? null
    : await keep(LOCALNET, localnetIn(path.join(settings.data_dir, LOCALNET)));
  const networks = localnet?.current.networks ?? null;
  const local = networks && !outside ? localChain(fee_wallets.paidFor(networks)) : null;
  const chains = chainSettings(settings.outside, networks);
  return {
    settings: chains,
    ...{ local, networks },
    local_rpc_urls: local ? MODES.flatMap((mode) => chains[mode].rpc_urls) : [],
    async fundFeeWallets() {
      if (networks) await fee_wallets.fund(networks, log);
    },
    async stop() {
      await local?.close();
      await localnet?.stop();
    },
  };
}
