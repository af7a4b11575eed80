import type { Flags } from './flags';
import type { Load } from './load/load';
import type { NoiseBook } from './noise-book';
import type { Server } from './machine/postgres';
import type { Entry } from './report/entry';

/** What every scenario gets: the settings of the run and the parts that scenarios use together. */
export interface Bench {
  readonly flags: Flags;
  readonly load: Load;
  readonly noise: NoiseBook;
  /** One line on the screen. */
  say(line: string): void;
  /** A new folder that is removed after the run. */
  folder(name: string): string;
  /** The throwaway Postgres of the baselines: the product's binaries and settings. */
  server(): Promise<Server>;
}

export interface Scenario {
  readonly name: string;
  /** Left out of a quick run unless it is named. */
  readonly slow?: true;
  run(bench: Bench): Promise<readonly Entry[]>;
}

/** Quick runs are short and therefore judged with a tenth of tolerance. */
export const toleranceOf = ({ quick }: Flags): number => (quick ? 0.1 : 0);
