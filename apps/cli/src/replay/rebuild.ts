import { setTimeout as sleep } from 'node:timers/promises';
import {
  beginGeneration,
  compareGenerations,
  dropOldGenerations,
  indexGeneration,
  promoteGeneration,
  TakenOver,
  type BegunGeneration,
  type Comparison,
  type OwnedProjection,
} from '@tender/adapter-postgres';
import { loadGeneration, projectionFollower, savedPosition } from '@tender/eventing';
import { CommandFault } from '../faults';
import type { System } from '../system';
import type { ProgressReport } from './progress';

export interface RebuildOptions {
  readonly system: System;
  readonly owned: OwnedProjection;
  readonly signal: AbortSignal;
  /** Tells this program from other releases. */
  readonly program: string;
  readonly report: (begun: BegunGeneration) => ProgressReport;
}

export interface Rebuilt {
  readonly generation: number;
  /** With the live one; null where the signal cut it short. */
  readonly comparison: Comparison | null;
  /** Puts it behind the view, with what has come meanwhile; false when the signal cut it short. */
  swap(): Promise<boolean>;
}

/**
 * A new table beside the live one, from the first event on, compared with it. It reads the log and writes that
 * table; nothing that sends takes part. Cut short, it goes on from its last batch the next time
 * that the same program runs.
 */
export async function rebuild(options: RebuildOptions): Promise<Rebuilt> {
  const { system, owned, signal } = options;
  const { readModels, log } = system;
  const begun = await whenUnlocked(
    () => beginGeneration(readModels, owned, options.program),
    `A new table of ${owned.projection.table} that another release had begun is read without a pause, and is still ` +
      'there. Nothing was changed. Run the same command again.',
  );
  const { generation } = begun;
  const report = options.report(begun);
  const swap = async (): Promise<boolean> => {
    report.phase('swapping');
    // While it was compared, and a person was asked, the live one went on.
    if (!(await load(options, generation, report)) || signal.aborted) return false;
    await promote(system, owned, generation);
    return true;
  };
  const cut_short = { generation, comparison: null, swap };
  if (!(await load(options, generation, report))) return cut_short;
  report.phase('indexing');
  await indexGeneration(readModels, owned, generation);
  report.phase('catching up');
  if (!(await load(options, generation, report)) || signal.aborted) return cut_short;
  report.phase('comparing');
  const comparison = await compareGenerations(readModels, log, owned, generation).catch(named);
  return signal.aborted ? cut_short : { generation, comparison, swap };
}

/** What live tables have; false when the signal cut it short. */
async function load(
  { system, owned, signal }: RebuildOptions,
  generation: number,
  report: ProgressReport,
): Promise<boolean> {
  const { schema, projection } = owned;
  for (const mode of projection.modes) {
    const live = projectionFollower(projection.name, mode);
    const until = await savedPosition(system.readModels, schema, live);
    const options = { ...system, ...owned, generation, mode, until, signal };
    const whole = await loadGeneration({ ...options, onLoaded: report.loaded }).catch(named);
    if (!whole) return false;
  }
  return true;
}

function named(error: unknown): never {
  if (!(error instanceof TakenOver)) throw error;
  throw new CommandFault('Another replay of this projection goes on with it; this one ends here.');
}

/** Postgres: the lock could not be taken in time. */
const LOCK_NOT_AVAILABLE = '55P03';
const TRIES_MAX = 10;
const PAUSE_MS = 200;

/** A long read of the view holds it; then it is tried again, so that no reader queues up behind it for long. */
export function promote(
  { readModels, log }: System,
  owned: OwnedProjection,
  generation: number,
): Promise<void> {
  return whenUnlocked(
    () => promoteGeneration(readModels, log, owned, generation),
    `${owned.projection.table} is read without a pause; its new table is complete, the swap is not done. ` +
      'Run the same command again.',
  );
}

/** `former`: the one that was live before is kept. Answers what was dropped. */
export function dropOld(
  { readModels }: Pick<System, 'readModels'>,
  owned: OwnedProjection,
  keep: { readonly former: boolean },
): Promise<readonly number[]> {
  return whenUnlocked(
    () => dropOldGenerations(readModels, owned, keep),
    `Older tables of ${owned.projection.table} are read without a pause, and are still there. The next replay drops them.`,
  );
}

async function whenUnlocked<Result>(
  work: () => Promise<Result>,
  given_up: string,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error)) named(error);
      if (tries >= TRIES_MAX) throw new CommandFault(given_up);
      await sleep(PAUSE_MS * tries);
    }
  }
}

/** The tables name it `Unavailable`, and keep what Postgres said as its cause. */
function isLocked(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return [code, cause?.code].includes(LOCK_NOT_AVAILABLE);
}
