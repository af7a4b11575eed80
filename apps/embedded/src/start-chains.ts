import path from 'node:path';
import type { LocalChain, Log } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { keepLocalnet, type LocalnetNews } from '@tender/localnet';
import { chainSettings, localChain, type ChainSettings } from '@tender/runtime';
import type { Settings } from './settings';

const LOCALNET = 'localnet';

/** A part of this program that is a process of its own: it serves, or it has ended. */
export type PartNews = LocalnetNews & { readonly name: string };

export interface Chains {
  readonly settings: Readonly<Record<Mode, ChainSettings>>;
  /** Null as soon as one network is outside: Tender can give no money or time away there. */
  readonly local: (LocalChain & { close(): Promise<void> }) | null;
  readonly rpc_urls: readonly string[];
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
): Promise<Chains> {
  const outside = MODES.some((mode) => settings.rpc_urls[mode] !== null);
  const everything = MODES.every((mode) => settings.rpc_urls[mode] !== null);
  const localnet = everything
    ? null
    : await keepLocalnet({ dataDir: path.join(settings.data_dir, LOCALNET) }, (news) => {
        write(log, news);
        tell({ ...news, name: LOCALNET });
      });
  if (localnet) tell({ type: 'serving', name: LOCALNET, pid: localnet.pid() });
  const local = localnet && !outside ? localChain(localnet.networks) : null;
  const settingsOf = (mode: Mode) =>
    chainSettings(mode, settings.rpc_urls[mode], localnet?.networks[mode] ?? null);
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
