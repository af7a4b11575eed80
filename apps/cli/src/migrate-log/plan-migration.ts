import type { LogPlace } from '@tender/adapter-postgres';
import type { Sql } from '@tender/eventing';
import { CommandFault } from '../faults';

/** What there is to move. */
export interface MigrationPlan {
  readonly events: number;
  /** By an earlier call that was cut off. */
  readonly events_copied: number;
  readonly consumers: number;
  readonly relays: number;
  readonly parked: number;
}

export async function planMigration(
  sql: Sql,
  place: LogPlace,
  schemas: readonly string[],
  relays: number,
): Promise<MigrationPlan> {
  let parked = 0;
  for (const schema of schemas) {
    if (await isThere(sql, `${schema}.parked`)) parked += await count(sql, `${schema}.parked`);
  }
  const copied = (await isThere(sql, 'migrate_log.moved')) ? await count(sql, 'migrate_log.moved') : 0;
  const events = await count(sql, 'log.events');
  return { events, events_copied: copied, consumers: place.alone, relays, parked };
}

/**
 * Null where there is something to move; else why it is done already. Throws `CommandFault` for what cannot be
 * moved.
 */
export function whyDone(
  { alone, lanes, moved, newest }: LogPlace,
  to_store: boolean,
): string | null {
  if (moved) {
    if (to_store) return 'The log was moved to an EventStoreDB, and its consumers handed over.';
    throw new CommandFault(
      'The log of this database was moved to an EventStoreDB; the one in Postgres is out of date. Set EVENTSTORE_URL.',
    );
  }
  if (lanes > 0 && to_store) {
    throw new CommandFault(
      'Services go on with the log in this Postgres. Only the log of a program that ran alone can be moved to an ' +
        'EventStoreDB: unset EVENTSTORE_URL and start the services as they were.',
    );
  }
  if (lanes > 0) {
    return alone > 0
      ? 'The log was handed over to the services.'
      : 'Services have written this log from its beginning: there is nothing to hand over.';
  }
  if (newest === null) {
    throw new CommandFault(
      'The database holds no event, so there is nothing to move: start the services on it as it is. If that is ' +
        'unexpected, check DATABASE_URL or DATA_DIR.',
    );
  }
  return null;
}

async function isThere(sql: Sql, table: string): Promise<boolean> {
  const [found] = await sql.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [table],
  );
  return found?.there === true;
}

async function count(sql: Sql, table: string): Promise<number> {
  const [counted] = await sql.query<{ rows: number }>(`select count(*)::int as rows from ${table}`);
  return counted?.rows ?? 0;
}
