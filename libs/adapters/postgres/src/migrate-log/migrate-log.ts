import {
  copyLog,
  verifyCopy,
  type EventStore,
  type LogSource,
  type ReadModels,
  type VerifiedLog,
} from '@tender/eventing';
import { handOverToLanes, type Lanes } from './hand-over-to-lanes';
import { doneNow, movedPositions, translatePositions } from './moved-positions';

export interface LogMigration {
  /** Held, so that no program writes it: `heldPostgresLog`. */
  readonly source: LogSource;
  /** Empty of what is copied, or what an earlier call has left. */
  readonly target: EventStore;
  /** Everything but the log, where the new programs will find it. No program uses it meanwhile. */
  readonly readModels: ReadModels;
  /** Of every service, the gateway's and the key ring's included. */
  readonly schemas: readonly string[];
  /** For a bus with lanes; without it consumers go on following the log. */
  readonly lanes?: Lanes;
  /** Events done, for a progress bar. */
  readonly onProgress?: (step: 'copy' | 'verify', events: number) => void;
}

/**
 * Moves a log to another store without losing an event: copies it, compares the two, and sets everything that
 * has a position in the old one to the same event in the new one. Cut off anywhere, it is called again and goes
 * on. Throws `LogsDiffer` and `ForeignCheckpoint`, after which nothing was translated, and `Unavailable`.
 */
export async function migrateLog(migration: LogMigration): Promise<VerifiedLog> {
  const { source, target, readModels, schemas, lanes, onProgress } = migration;
  const moved = await movedPositions(readModels);
  const done = (step: 'copy' | 'verify') => (events: number) => onProgress?.(step, events);
  await copyLog({ source, target, moved, onProgress: done('copy') });
  const verified = await verifyCopy({ source, target, moved, onProgress: done('verify') });
  await readModels.transaction(async (tx) => {
    if (!(await translatePositions(tx, schemas))) return;
    if (lanes) await handOverToLanes(tx, schemas, lanes);
  });
  return verified;
}

/**
 * For services that go on with the same log: positions stay, only the lanes and relays begin where the consumers
 * of the one process were. Once; answers false where it was done before.
 */
export const handOverLog = (
  readModels: ReadModels,
  schemas: readonly string[],
  lanes: Lanes,
): Promise<boolean> =>
  readModels.transaction(async (tx) => {
    if (!(await doneNow(tx, 'lanes'))) return false;
    await handOverToLanes(tx, schemas, lanes);
    return true;
  });
