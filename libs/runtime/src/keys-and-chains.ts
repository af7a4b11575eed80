import path from 'node:path';
import { postgresSubjectKeys } from '@tender/adapter-postgres';
import { fileKeyRing } from '@tender/adapter-system';
import type { Log, ReadModels } from '@tender/eventing';
import type { Clock, Mode } from '@tender/kernel';
import { modeChain, type ChainSettings } from './chain-settings';
import type { Closer } from './open-tables';

export interface KeysAndChains {
  /** Key files lie in its folder `keys`. */
  readonly data_dir: string;
  readonly master_key: string | null;
  readonly chains: Readonly<Record<Mode, ChainSettings>>;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly log: Log;
}

/** The ports that are filled alike in every run. `closers` end them. */
export function keysAndChains(
  { data_dir, master_key, chains, readModels, clock, log }: KeysAndChains,
  closers: Closer[],
) {
  const keyRing = fileKeyRing({
    dir: path.join(data_dir, 'keys'),
    masterKey: master_key ?? undefined,
    clock,
    subjectKeys: postgresSubjectKeys(readModels),
  });
  closers.push(() => keyRing.close());
  const chainOf = (mode: Mode) => {
    const chain = modeChain(mode, chains[mode], clock, log);
    closers.push(() => chain.close());
    return chain;
  };
  return { keyRing, chains: { test: chainOf('test'), live: chainOf('live') } };
}
