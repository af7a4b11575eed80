import { Client } from 'pg';
import { Unavailable, type NewEvent, type StoredEvent, type StreamName } from '@tender/eventing';
import { eventStoreConformance, noteOf, sampleEvent } from '@tender/eventing/testing';
import {
  LogIsTaken,
  postgresEventStore,
  sharedPostgresEventStore,
  type PostgresEventStore,
} from '../index';
import { patient, silentLog, systemClock } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

const makeStore = (
  connectionString: string,
  options: Partial<Parameters<typeof postgresEventStore>[0]> = {},
): PostgresEventStore =>
  postgresEventStore({
    ...{ connectionString, clock: systemClock, log: silentLog },
    ...{ ...patient, ...options },
  });

async function opened(url: string): Promise<PostgresEventStore> {
  const store = makeStore(url);
  await store.start();
  return store;
}

async function sql<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows as Row[];
}

const LOG_CONNECTIONS = `datname = current_database() and application_name like 'tender log%'`;

describe('the Postgres log', () => {
  it('is written by one process, and says by which', async () => {
    const url = await server.database();
    const store = await opened(url);
    const second = makeStore(url, { lock_wait_ms: 100 });
    await expect(second.start()).rejects.toThrow(LogIsTaken);
    await expect(second.start()).rejects.toThrow(`pid ${process.pid}`);
    await second.close();
    await store.close();
    const third = await opened(url);
    await third.close();
  });

  it('outlives an append of its predecessor that is still under way', async () => {
    const url = await server.database();
    await (await opened(url)).close();
    const predecessor = new Client({ connectionString: url });
    predecessor.on('error', () => undefined);
    await predecessor.connect();
    await predecessor.query('select pg_advisory_lock_shared(x\'54454e44\'::int, 2)');
    await predecessor.query('begin');
    await predecessor.query(`insert into log.events values
      (1, 'note.test-old', 'note.test', 0, gen_random_uuid(), 'Noted', '{}', '{}')`);
    const store = await opened(url);
    await expect(predecessor.query('commit')).rejects.toThrow();
    expect(await store.load('note.test-old')).toEqual([]);
    await store.close();
  });

  it.each([
    ['alone', postgresEventStore],
    ['shared', sharedPostgresEventStore],
  ])('loses and doubles nothing when its connections are cut under load (%s)', async (_, make) => {
    const url = await server.database();
    const store = make({ connectionString: url, clock: systemClock, log: silentLog, ...patient });
    await store.start();
    const seen: StoredEvent[] = [];
    const follower = store.follow({
      ...{ name: 'witness', categories: ['note.test'], from: null },
      onEvents: (events) => {
        seen.push(...events);
        return Promise.resolve();
      },
    });
    let unavailable = 0;
    let cuts = 0;
    const turns = Array<number>(16).fill(0);
    const written = () => turns.reduce((sum, count) => sum + count);
    const writing = Promise.all(
      turns.map(async (_, writer) => {
        const stream: StreamName = `note.test-${writer}`;
        // The load goes on until the last cut, however late that comes.
        for (let turn = 0; turn < 100 || cuts < 3; turn += 1) {
          const event = sampleEvent(stream, { note: turn });
          await untilAnswered(store, stream, event, turn, () => (unavailable += 1));
          turns[writer] = turn + 1;
          const loaded = await store.load(stream).catch((error: unknown) => {
            expect(error).toBeInstanceOf(Unavailable);
          });
          if (loaded) expect(loaded).toHaveLength(turn + 1);
        }
      }),
    );
    for (let cut = 0; cut < 3; cut += 1) {
      for (const enough = written() + 64; written() < enough; ) await breathe();
      // A reader may be asked before it knows of the last cut.
      await store.load('note.test-0').catch((error: unknown) => {
        expect(error).toBeInstanceOf(Unavailable);
      });
      await sql(url, `select pg_terminate_backend(pid) from pg_stat_activity where ${LOG_CONNECTIONS}`);
      await untilAnswered(store, `note.test-cut-${cut}`, sampleEvent('note.test-0'), 0, () => 0);
      cuts += 1;
    }
    await writing;
    await follower.idle();
    await follower.stop();
    expect(unavailable).toBeGreaterThan(0);
    const ids = seen.map(({ metadata }) => metadata.id);
    expect(new Set(ids).size).toBe(written() + 3);
    expect(ids).toHaveLength(written() + 3);
    for (let writer = 0; writer < 16; writer += 1) {
      const own = await store.load(`note.test-${writer}`);
      const length = turns[writer] ?? 0;
      expect(own.map(noteOf)).toEqual(Array.from({ length }, (_, turn) => turn));
      expect(seen.filter(({ stream }) => stream === `note.test-${writer}`)).toEqual(own);
    }
    await store.close();
  });

  it('reads anew what another process has written while it was cut off', async () => {
    const url = await server.database();
    const store = await opened(url);
    await store.append('note.test-a', [sampleEvent('note.test-a')], 'no_stream');
    expect(await store.load('note.test-a')).toHaveLength(1);
    await sql(
      url,
      `insert into log.events select 2, stream, category, 1, gen_random_uuid(), type, data, metadata
        from log.events where stream = 'note.test-a'`,
    );
    await sql(url, `select pg_terminate_backend(pid) from pg_stat_activity where ${LOG_CONNECTIONS}`);
    await untilAnswered(store, 'note.test-cut', sampleEvent('note.test-cut'), 0, () => 0);
    expect(await store.load('note.test-a')).toHaveLength(2);
    await store.close();
  });

  it('tells of no newest event before a follower can be waited for up to it', async () => {
    const url = await server.database();
    const store = await opened(url);
    let seen = 0;
    const follower = store.follow({
      ...{ name: 'witness', categories: ['note.test'], from: null },
      onEvents: async (events) => void (seen = Number(events.at(-1)?.position)),
    });
    for (let turn = 0; turn < 500; turn += 1) {
      const stream: StreamName = `note.test-${turn}`;
      const appended = store.append(stream, [sampleEvent(stream)], 'no_stream');
      const newest = Number(await store.newest());
      await follower.idle();
      expect(seen).toBeGreaterThanOrEqual(newest);
      await appended;
    }
    await follower.stop();
    await store.close();
  });

  it('answers Unavailable when it is closed, never started, or overrun', async () => {
    const url = await server.database();
    const store = makeStore(url, { queue_max: 3 });
    const append = (id: string) => {
      const stream: StreamName = `note.test-${id}`;
      return store.append(stream, [sampleEvent(stream)], 'no_stream');
    };
    await expect(append('early')).rejects.toThrow(Unavailable);
    await store.start();
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map(append));
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
    ]);
    await store.close();
    await expect(append('late')).rejects.toThrow(Unavailable);
  });

  it('keeps the text of an event as it was hashed', async () => {
    const url = await server.database();
    const store = await opened(url);
    const data = { z: 1, a: { '10': 'x', '9': 'y' }, text: 'é', n: 1e21 };
    await store.append('note.test-a', [sampleEvent('note.test-a', data)], 'no_stream');
    await store.close();
    const rows = await sql<{ text: string }>(url, 'select data::text as text from log.events');
    expect(rows).toEqual([{ text: JSON.stringify(data) }]);
  });
});

const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** As a client does: the same events again until there is an answer. */
async function untilAnswered(
  store: PostgresEventStore,
  stream: StreamName,
  event: NewEvent,
  revision: number,
  count: () => number,
): Promise<void> {
  for (;;) {
    try {
      const expected = revision === 0 ? 'no_stream' : revision - 1;
      const appended = await store.append(stream, [event], expected);
      expect(appended.ok).toBe(true);
      return;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      count();
      await breathe();
    }
  }
}

describe('on a slow disk, with more than one committer', () => {
  let slow: TestPostgres;
  beforeAll(async () => {
    slow = await startTestPostgres(['commit_delay=3000', 'commit_siblings=0']);
  });
  afterAll(() => slow.stop());

  eventStoreConformance('postgres, slow disk', async () => {
    const url = await slow.database();
    let store = await opened(url);
    return {
      store,
      async reopen() {
        await store.close();
        store = await opened(url);
        return store;
      },
      close: () => store.close(),
    };
  });
});
