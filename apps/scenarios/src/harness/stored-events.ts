import { eventStoreDb } from '@tender/adapter-eventstoredb';
import { fixedClock, silentLog } from '@tender/adapter-memory';
import type { Category } from '@tender/eventing';
import pg from 'pg';
import type { RunningProgram } from './running-program';

/** What a scenario compares of an event. */
export interface LoggedEvent {
  readonly stream: string;
  readonly type: string;
  readonly revision: number;
}

/** Everything of one category that the log holds, oldest first, wherever this run keeps its log. */
export function storedEvents(program: RunningProgram, category: Category): Promise<LoggedEvent[]> {
  const { eventstore, postgres } = program.running;
  return eventstore
    ? eventsOfStore(eventstore.connection_string, category)
    : eventsOfTable(postgres.connection_string, category);
}

async function eventsOfTable(connectionString: string, category: Category): Promise<LoggedEvent[]> {
  const sql = new pg.Client({ connectionString });
  await sql.connect();
  try {
    const { rows } = await sql.query<LoggedEvent>(
      'select stream, type, revision from log.events where category = $1 order by position',
      [category],
    );
    return rows;
  } finally {
    await sql.end();
  }
}

async function eventsOfStore(connectionString: string, category: Category): Promise<LoggedEvent[]> {
  const store = eventStoreDb({ connectionString, clock: fixedClock(), log: silentLog });
  await store.start();
  const events: LoggedEvent[] = [];
  const follower = store.follow({
    name: 'scenarios',
    categories: [category],
    from: null,
    onEvents: async (batch) => void events.push(...batch),
  });
  try {
    await follower.idle();
    return events;
  } finally {
    await follower.stop();
    await store.close();
  }
}
