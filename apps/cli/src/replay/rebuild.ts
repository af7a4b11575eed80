import { setTimeout as sleep } from 'node:timers/promises';
import {
  beginGeneration,
  indexGeneration,
  promoteGeneration,
  TakenOver,
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
  readonly report: (generation: number) => ProgressReport;
}

/** The number of the generation, and whether it is live now: the signal may have cut it short. */
export interface Rebuilt {
  readonly generation: number;
  readonly is_live: boolean;
}

/**
 * A new table beside the live one, from the first event on; then in its place. It reads the log and writes that
 * table; nothing that sends takes part. Cut short, it goes on from its last batch the next time.
 */
export async function rebuild(options: RebuildOptions): Promise<Rebuilt> {
  const { system, owned, signal } = options;
  const generation = await beginGeneration(system.readModels, owned);
  const report = options.report(generation);
  const cut_short = { generation, is_live: false };
  if (!(await load(options, generation, report))) return cut_short;
  report.phase('indexing');
  await indexGeneration(system.readModels, owned, generation);
  report.phase('catching up');
  if (!(await load(options, generation, report)) || signal.aborted) return cut_short;
  report.phase('swapping');
  await promote(system, owned, generation);
  return { generation, is_live: true };
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
const SWAPS_MAX = 10;
const SWAP_PAUSE_MS = 200;

/** A long read of the view holds it; then it is tried again, so that no reader queues up behind it for long. */
export async function promote(
  { readModels, log }: System,
  owned: OwnedProjection,
  generation: number,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await promoteGeneration(readModels, log, owned, generation);
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) named(error);
      if (tries >= SWAPS_MAX) {
        throw new CommandFault(
          `${owned.projection.table} is read without a pause; its new table is complete, the swap is not done. ` +
            'Run the same command again.',
        );
      }
      await sleep(SWAP_PAUSE_MS * tries);
    }
  }
}
