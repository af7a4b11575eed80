import path from 'node:path';
import { postgresSubjectKeys } from '@tender/adapter-postgres';
import { fileKeyRing } from '@tender/adapter-system';
import type { Chain, Log, ReadModels } from '@tender/eventing';
import type { Clock, Mode } from '@tender/kernel';
import { modeChain, type ChainSettings } from './chain-settings';
import type { Closer } from './open-tables';

export interface ChainsOptions {
  readonly chains: Readonly<Record<Mode, ChainSettings>>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface KeysOptions {
  /** Key files lie in its folder `keys`. */
  readonly data_dir: string;
  readonly master_key: string | null;
  readonly readModels: ReadModels;
  readonly clock: Clock;
}

/** The chain of each mode, alike in every run. `closers` end them. */
export function openChains(
  { chains, clock, log }: ChainsOptions,
  closers: Closer[],
): Readonly<Record<Mode, Chain>> {
  const chainOf = (mode: Mode) => {
    const chain = modeChain(mode, chains[mode], clock, log);
    closers.push(() => chain.close());
    return chain;
  };
  return { test: chainOf('test'), live: chainOf('live') };
}

/** The keys in files and those of subjects, alike in every run. `closers` end it. */
export function openKeyRing(
  { data_dir, master_key, readModels, clock }: KeysOptions,
  closers: Closer[],
) {
  const keyRing = fileKeyRing({
    dir: path.join(data_dir, 'keys'),
    masterKey: master_key ?? undefined,
    clock,
    subjectKeys: postgresSubjectKeys(readModels),
  });
  closers.push(() => keyRing.close());
  return keyRing;
}
