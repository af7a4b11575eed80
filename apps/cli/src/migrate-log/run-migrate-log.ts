import { kafkaLanes } from '@tender/adapter-kafka';
import {
  ForeignCheckpoint,
  handOverLog,
  migrateLog,
  readLogPlace,
  type HeldLog,
} from '@tender/adapter-postgres';
import { LogsDiffer, type Log, type LogSource, type VerifiedLog } from '@tender/eventing';
import { CommandFault, INTERRUPTED } from '../faults';
import { sayEnded } from '../identity/say-ended';
import { SCHEMAS } from '../owners';
import { CONTEXTS } from '../system';
import { grouped } from '../terminal/amounts';
import { tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { openEndedProgram, openTarget, type EndedProgram } from './open-migration';
import { planMigration, whyDone, type MigrationPlan } from './plan-migration';
import { stepProgress } from './step-progress';

/** Between two pages; what was copied is kept. */
class Interrupted extends Error {}

const LANES = kafkaLanes(CONTEXTS);

/** `tender ops migrate-log`; answers the exit code. */
export async function runMigrateLog(
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  { dry_run }: { readonly dry_run: boolean },
): Promise<number> {
  const log = complaining(terminal);
  const abort = new AbortController();
  terminal.onInterrupt(() => abort.abort());
  const eventstore_url = env.EVENTSTORE_URL || null;
  sayEnded(terminal, env, eventstore_url);
  const program = await openEndedProgram(env, log);
  try {
    const { readModels } = program;
    const place = await readLogPlace(readModels, SCHEMAS);
    const done = whyDone(place, eventstore_url !== null);
    if (done) {
      tell(terminal, { line: 'migration', phase: 'done', before: true }, [done, next(program, eventstore_url)]);
      return 0;
    }
    const source = await program.hold();
    const plan = await planMigration(readModels, place, SCHEMAS, LANES.relays.length);
    if (dry_run) {
      sayPlan(terminal, plan, eventstore_url);
      return 0;
    }
    const { signal } = abort;
    const verified = await move({ program, plan, source, terminal, eventstore_url, log, signal });
    sayDone(terminal, plan, verified, next(program, eventstore_url));
    return 0;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw explained(error);
    tell(terminal, { line: 'migration', phase: 'interrupted' }, [
      'Interrupted; what was copied is kept, and the tables are as they were.',
      'Next: the same command goes on. The program may also be started alone again.',
    ]);
    return INTERRUPTED;
  } finally {
    await program.close();
  }
}

interface Move {
  readonly program: EndedProgram;
  readonly plan: MigrationPlan;
  readonly source: HeldLog;
  readonly terminal: Terminal;
  readonly eventstore_url: string | null;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Null where events stay where they are. */
async function move(asked: Move): Promise<VerifiedLog | null> {
  const { program, plan, source, terminal, eventstore_url, log, signal } = asked;
  const { readModels } = program;
  if (eventstore_url === null) {
    // As every service of this release does when it starts: an older release's tables know no lanes.
    await readModels.start();
    await handOverLog(readModels, SCHEMAS, LANES);
    return null;
  }
  const target = await openTarget(eventstore_url, log);
  try {
    await readModels.start();
    const { events, events_copied } = plan;
    const progress = stepProgress(terminal, {
      copying: events - events_copied,
      comparing: events,
    });
    return await migrateLog({
      ...{ target, readModels, schemas: SCHEMAS, lanes: LANES },
      source: interruptible(source, signal),
      onProgress: (step, done) => progress(step === 'copy' ? 'copying' : 'comparing', done),
    });
  } finally {
    await target.close();
  }
}

function interruptible(source: LogSource, signal: AbortSignal): LogSource {
  return {
    categories: () => source.categories(),
    async *pages(after) {
      for await (const page of source.pages(after)) {
        if (signal.aborted) throw new Interrupted();
        yield page;
      }
    },
  };
}

function explained(error: unknown): unknown {
  if (error instanceof LogsDiffer) {
    return new CommandFault(
      `The event store holds something else: ${error.message}. Nothing was changed in the tables. Empty that store, ` +
        'drop the schema migrate_log in Postgres, and run this again.',
    );
  }
  if (error instanceof ForeignCheckpoint) {
    return new CommandFault(`${error.message}. Nothing was changed: restore tables and log of one moment.`);
  }
  return error;
}

function sayPlan(terminal: Terminal, plan: MigrationPlan, eventstore_url: string | null): void {
  const { events, events_copied, consumers, relays, parked } = plan;
  const to = eventstore_url === null ? 'postgres' : 'eventstore';
  const left = grouped(events - events_copied);
  tell(terminal, { line: 'migration_plan', dry_run: true, to, ...plan }, [
    to === 'postgres'
      ? `The log stays in Postgres with its ${grouped(events)} events.`
      : `Would copy ${left} of ${grouped(events)} events to the EventStoreDB, and compare all of them.`,
    `Would hand over ${grouped(consumers)} consumers, ${relays} relays and ${grouped(parked)} parked messages.`,
    'Next: the same command without --dry-run does it. Nothing was changed.',
  ]);
}

function sayDone(
  terminal: Terminal,
  plan: MigrationPlan,
  verified: VerifiedLog | null,
  next_step: string,
): void {
  const { consumers, relays, parked } = plan;
  tell(terminal, { line: 'migration', phase: 'done', ...verified, consumers, relays, parked }, [
    ...(verified
      ? [`Copied and compared: ${grouped(verified.events)} events of ${grouped(verified.streams)} streams.`]
      : []),
    `Handed over: ${grouped(consumers)} consumers, ${relays} relays, ${grouped(parked)} parked messages.`,
    next_step,
  ]);
}

/** Names the settings that the services need; shows no secret. */
function next({ data_dir }: EndedProgram, eventstore_url: string | null): string {
  const store = eventstore_url === null ? 'no EVENTSTORE_URL' : 'the same EVENTSTORE_URL';
  const here = data_dir === null ? '' : `"npm run distributed" with DATA_DIR=${data_dir} does it on this machine: `;
  return (
    `Next: start the services. ${here}DATABASE_URL of this database, ${store}, KAFKA_BROKERS, one INTERNAL_SECRET ` +
    'for all, MASTER_KEY if there was one, and a DATA_DIR with its keys folder. Do not start the program alone again.'
  );
}

function complaining(terminal: Terminal): Log {
  const complain = (_: object, message: string): void => terminal.complain(`tender: ${message}`);
  return { info: () => undefined, warn: complain, error: complain };
}
