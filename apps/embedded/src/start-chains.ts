import path from 'node:path';
import type { LocalChain } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { spawnLocalnet } from '@tender/localnet';
import { chainSettings, localChain, type ChainSettings } from '@tender/runtime';
import type { Settings } from './settings';

export interface Chains {
  readonly settings: Readonly<Record<Mode, ChainSettings>>;
  /** Null as soon as one network is outside: Tender can give no money or time away there. */
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
