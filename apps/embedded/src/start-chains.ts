import path from 'node:path';
import type { Keep, LocalChain, Log } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { localnetIn } from '@tender/localnet';
import { chainSettings, localChain, type ChainSettings, type LocalSponsors } from '@tender/runtime';
import type { Settings } from './settings';

const LOCALNET = 'localnet';

export interface Chains {
  readonly settings: Readonly<Record<Mode, ChainSettings>>;
  /** Null as soon as one network is outside: Tender can give no money or time away there. */
  readonly local: (LocalChain & { close(): Promise<void> }) | null;
  /** Of the local chains; none as soon as one network is outside. */
  readonly local_rpc_urls: readonly string[];
  /** Gives the sponsors of fees what they need on the local chains. */
  fundSponsors(): Promise<void>;
  stop(): Promise<void>;
}

/** Both networks: the local child process, unless a mode has an RPC URL of its own. */
export async function startChains(
  settings: Settings,
  log: Log,
  keep: Keep,
  sponsors: LocalSponsors,
): Promise<Chains> {
  const { rpc_urls } = settings.outside;
  const outside = MODES.some((mode) => rpc_urls[mode].length > 0);
  const everything = MODES.every((mode) => rpc_urls[mode].length > 0);
  const localnet = everything
    ? null
    : await keep(LOCALNET, localnetIn(path.join(settings.data_dir, LOCALNET)));
  const networks = localnet?.current.networks ?? null;
  const local = networks && !outside ? localChain(sponsors.paidFor(networks)) : null;
  const chains = chainSettings(settings.outside, networks);
  return {
    settings: chains,
    local,
    local_rpc_urls: local ? MODES.flatMap((mode) => chains[mode].rpc_urls) : [],
    async fundSponsors() {
      if (networks) await sponsors.fund(networks, log);
    },
    async stop() {
      await local?.close();
      await localnet?.stop();
    },
  };
}
