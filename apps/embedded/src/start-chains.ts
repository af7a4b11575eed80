import path from 'node:path';
import type { LocalChain, Log } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { keepLocalnet, type LocalnetNews } from '@tender/localnet';
import { chainSettings, localChain, type ChainSettings, type LocalSponsors } from '@tender/runtime';
import type { Settings } from './settings';

const LOCALNET = 'localnet';

/** A part of this program that is a process of its own: it serves, or it has ended. */
export type PartNews = LocalnetNews & { readonly name: string };

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

function write(log: Log, { type, pid, how }: LocalnetNews): void {
  if (type === 'serving') log.info({ part: LOCALNET, pid }, 'the local chains run again');
  else log.error({ part: LOCALNET, pid, how }, 'the local chains ended and are started again');
}

/** Both networks: the local child process, unless a mode has an RPC URL of its own. */
export async function startChains(
  settings: Settings,
  log: Log,
  tell: (news: PartNews) => void,
  sponsors: LocalSponsors,
): Promise<Chains> {
  const { rpc_urls } = settings.outside;
  const outside = MODES.some((mode) => rpc_urls[mode].length > 0);
  const everything = MODES.every((mode) => rpc_urls[mode].length > 0);
  const localnet = everything
    ? null
    : await keepLocalnet({ dataDir: path.join(settings.data_dir, LOCALNET) }, (news) => {
        write(log, news);
        tell({ ...news, name: LOCALNET });
      });
  if (localnet) tell({ type: 'serving', name: LOCALNET, pid: localnet.pid() });
  const local = localnet && !outside ? localChain(sponsors.paidFor(localnet.networks)) : null;
  const chains = chainSettings(settings.outside, localnet?.networks ?? null);
  return {
    settings: chains,
    local,
    local_rpc_urls: local ? MODES.flatMap((mode) => chains[mode].rpc_urls) : [],
    async fundSponsors() {
      if (localnet) await sponsors.fund(localnet.networks, log);
    },
    async stop() {
      await local?.close();
      await localnet?.stop();
    },
  };
}
