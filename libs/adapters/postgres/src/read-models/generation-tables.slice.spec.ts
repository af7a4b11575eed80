import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  foldedView,
  followProjections,
  loadGeneration,
  projectionFollower,
  readGenerations,
  Unavailable,
  type Position,
  type StreamMode,
  type StreamName,
} from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import {
  beginGeneration,
  dropOldGenerations,
  indexGeneration,
  TakenOver,
  postgresEventStore,
  postgresReadModels,
  postgresReplayLog,
  promoteGeneration,
  type PostgresEventStore,
  type PostgresReadModels,
} from '../index';
import { patient, silentLog, systemClock } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';

class CreateNotes1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table notes.note_list_g1 (id text collate "C" primary key, state json not null,
        position text not null, words int not null, first text, constraint first_once unique (id, first),
        constraint has_words check (words > 0)) with (fillfactor = 80)`,
    );
    await runner.query(
      `create index notes_by_words on notes.note_list_g1 (words desc, id) where words > 1`,
    );
    await runner.query('create view notes.note_list as select * from notes.note_list_g1');
    await runner.query(`insert into notes.generations values ('note_list', 1, 'live')`);
  }
  async down(): Promise<void> {
    return;
  }
}

const projection = foldedView<{ words: string[] }, { type: 'Noted'; data: { note: string } }>({
  ...{ name: 'notes.note-list@1', noun: 'note', modes: ['test', 'live'] as const },
  table: 'notes.note_list',
  decider: {
    initial: { words: [] },
    evolve: (state, event) => ({ words: [...state.words, event.data.note] }),
  },
  columns: {
    words: ['int', ({ words }) => words.length],
    first: ['text', ({ words }) => words[0] ?? null],
  },
});
const owned = { schema: 'notes', projection };

let server: TestPostgres;
let url: string;
let store: PostgresEventStore;
let service: PostgresReadModels;
const open: { close(): Promise<void> }[] = [];
const closing = <Part extends { close(): Promise<void> }>(part: Part): Part => {
  open.push(part);
  return part;
};

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  url = await server.database();
  const ports = { clock: systemClock, log: silentLog, ...patient };
  store = closing(postgresEventStore({ connectionString: url, ...ports }));
  await store.start();
  service = await startReadModels();
});
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

async function startReadModels(): Promise<PostgresReadModels> {
  const readModels = closing(
    postgresReadModels({
      ...{ connectionString: url, schemas: ['notes'], migrations: [CreateNotes1763700000000] },
      ...{ log: silentLog, pool_max: 4 },
    }),
  );
  await readModels.start();
  return readModels;
}

/** What an operator holds: connections of his own, and a log to read. */
async function operator() {
  const readModels = await startReadModels();
  return { readModels, log: closing(postgresReplayLog({ connectionString: url, log: silentLog })) };
}

async function follow() {
  const projections = [projection];
  const options = { eventStore: store, readModels: service, schema: 'notes', log: silentLog };
  const followers = followProjections({ ...options, projections });
  await followers.start();
  closing({ close: () => followers.stop() });
  return followers;
}

async function note(stream: StreamName, revision: number, word: string): Promise<Position> {
  const expected = revision === 0 ? 'no_stream' : revision - 1;
  const appended = await store.append(stream, [sampleEvent(stream, { note: word })], expected);
  if (!appended.ok) throw new Error(`${stream} is elsewhere`);
  return appended.position;
}

/** Two thirds of the streams are written again. */
async function history(streams: number): Promise<void> {
  for (let index = 0; index < streams; index += 1) {
    await note(`note.${index % 2 ? 'live' : 'test'}-${index}`, 0, `w${index}`);
  }
  for (let index = 0; index < streams; index += 1) {
    if (index % 3) await note(`note.${index % 2 ? 'live' : 'test'}-${index}`, 1, 'again');
  }
}

const savedAt = (mode: StreamMode) => (sql: PostgresReadModels) =>
  sql
    .query<{ position: Position | null }>(
      'select position from notes.checkpoints where follower = $1',
      [projectionFollower(projection.name, mode)],
    )
    .then(([row]) => row?.position ?? null);

async function build(by: Awaited<ReturnType<typeof operator>>, chunk_max = 50): Promise<number> {
  const generation = await beginGeneration(by.readModels, owned);
  for (const mode of projection.modes) {
    const until = await savedAt(mode)(by.readModels);
    await loadGeneration({ ...by, ...owned, generation, mode, until, chunk_max, batch_max: 20 });
  }
  await indexGeneration(by.readModels, owned, generation);
  return generation;
}

const rowsOf = (table: string) => service.query(`select * from ${table} order by id`);
const statesOf = async () =>
  (await readGenerations(service, 'notes', projection)).map(
    ({ generation, state }) => `${generation} ${state}`,
  );

/** As an operator does when others have held the tables for too long: tries again. */
async function untilFree<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}

describe('a rebuilt generation', () => {
  it('has the rows, constraints, indexes and settings of the live one', async () => {
    const followers = await follow();
    await history(120);
    await followers.idle();
    const generation = await build(await operator());
    expect(generation).toBe(2);
    const rebuilt = await rowsOf('notes.note_list_g2');
    expect(rebuilt).toHaveLength(120);
    expect(rebuilt).toEqual(await rowsOf('notes.note_list_g1'));

    const shape = async (table: string) => ({
      indexes: await service.query(
        `select replace(indexdef, '_g2', '_g1') as def from pg_indexes where tablename = $1
          order by replace(indexname, '_g2', '')`,
        [table],
      ),
      constraints: await service.query(
        `select contype, pg_get_constraintdef(oid) as def from pg_constraint
          where conrelid = $1::regclass order by 1, 2`,
        [`notes.${table}`],
      ),
      settings: await service.query('select reloptions from pg_class where relname = $1', [table]),
    });
    const second = await shape('note_list_g2');
    const first = await shape('note_list_g1');
    expect(second.constraints).toEqual(first.constraints);
    expect(second.settings).toEqual(first.settings);
    const unnamed = (defs: { def?: string }[]) =>
      defs.map(({ def }) => def?.replace(/INDEX \S+/, ''));
    expect(unnamed(second.indexes)).toEqual(unnamed(first.indexes));
    expect(second.indexes).toHaveLength(3);
  });

  it('goes on where it was cut short', async () => {
    const followers = await follow();
    await history(100);
    await followers.idle();
    const first = await operator();
    const generation = await beginGeneration(first.readModels, owned);
    const abort = new AbortController();
    const until = await savedAt('test')(service);
    const counted: number[] = [];
    const options = { ...owned, generation, mode: 'test', until, chunk_max: 20, batch_max: 10 } as const;
    const whole = await loadGeneration({
      ...first,
      ...options,
      signal: abort.signal,
      onLoaded(events) {
        counted.push(events);
        abort.abort();
      },
    });
    expect([whole, counted]).toEqual([false, [20]]);
    expect(await rowsOf('notes.note_list_g2')).toHaveLength(20);

    const second = await operator();
    expect(await beginGeneration(second.readModels, owned)).toBe(generation);
    const onLoaded = (events: number) => void counted.push(events);
    await loadGeneration({ ...second, ...options, onLoaded });
    const total = await first.log.count(['note.test'], null, until);
    expect(counted.reduce((sum, events) => sum + events)).toBe(total);
    // The one that was taken over from cannot write any more.
    const late = { ...first, ...options, until: String(Number(until) + 1) };
    await expect(loadGeneration(late)).rejects.toThrow(TakenOver);
  });

  it('takes the place of the live one and gives it back while everybody writes and reads', async () => {
    const followers = await follow();
    await history(60);
    const by = await operator();
    let done = false;
    let written = 0;
    const reads: number[] = [];
    const misses: string[] = [];
    const more = async () => {
      for (const until = written + 5; written < until; ) await new Promise(setImmediate);
    };
    const writer = (async () => {
      for (; !done; written += 1) {
        const id = `late-${written}`;
        const position = await note(`note.test-${id}`, 0, 'late');
        const follower = projectionFollower(projection.name, 'test');
        const seen = await service.waitFor('notes', follower, position, 300_000);
        const found = await service.query('select 1 from notes.note_list where id = $1', [id]);
        if (!seen || found.length === 0) misses.push(`${id} ${seen}`);
      }
    })();
    const reader = (async () => {
      while (!done) {
        const [row] = await service.query<{ count: number }>(
          'select count(*)::int as count from notes.note_list',
        );
        reads.push(row?.count ?? 0);
      }
    })();

    const generation = await build(by);
    await untilFree(() => promoteGeneration(by.readModels, by.log, owned, generation));
    expect(await statesOf()).toEqual(['1 kept', '2 live']);
    await more();
    const again = await operator();
    await untilFree(() => promoteGeneration(again.readModels, again.log, owned, 1));
    expect(await statesOf()).toEqual(['1 live', '2 kept']);
    await untilFree(() => promoteGeneration(by.readModels, by.log, owned, generation));
    await more();
    expect(await untilFree(() => dropOldGenerations(by.readModels, owned))).toEqual([1]);
    await more();
    done = true;
    await Promise.all([writer, reader]);
    await followers.idle();

    expect(misses).toEqual([]);
    expect(reads).toEqual([...reads].sort((one, other) => one - other));
    expect(await rowsOf('notes.note_list')).toHaveLength(60 + written);
    expect(await statesOf()).toEqual(['2 live']);
  });

  it('is kept up to date until it is dropped', async () => {
    const followers = await follow();
    await history(30);
    await followers.idle();
    const by = await operator();
    await promoteGeneration(by.readModels, by.log, owned, await build(by));
    await note('note.test-after', 0, 'after');
    await note('note.live-after-too', 0, 'after');
    await followers.idle();
    const kept = await rowsOf('notes.note_list_g1');
    expect(kept).toHaveLength(32);
    expect(kept).toEqual(await rowsOf('notes.note_list_g2'));
  });

  it('hears what it lacks before it is live again, when nobody has followed it', async () => {
    const followers = await follow();
    await history(30);
    await followers.idle();
    const by = await operator();
    const generation = await build(by);
    await promoteGeneration(by.readModels, by.log, owned, generation);
    await note('note.test-after', 0, 'after');
    await followers.idle();
    // Somebody else takes the kept one's checkpoint: the service leaves it behind, and goes on.
    await by.readModels.checkpoint('notes', 'notes.note-list@1#1:test');
    await note('note.test-later', 0, 'later');
    await followers.idle();
    await note('note.test-last', 0, 'last');
    await followers.idle();
    expect(await rowsOf('notes.note_list')).toHaveLength(33);
    expect(await rowsOf('notes.note_list_g1')).toHaveLength(31);
    const back = await operator();
    await promoteGeneration(back.readModels, back.log, owned, 1);
    expect(await rowsOf('notes.note_list')).toHaveLength(33);
    expect(await rowsOf('notes.note_list')).toEqual(await rowsOf('notes.note_list_g2'));
  });

  it('starts from an empty database, whose live table never heard anything', async () => {
    await history(30);
    await store.close();
    open.splice(open.indexOf(store), 1);
    const by = await operator();
    await promoteGeneration(by.readModels, by.log, owned, await build(by));
    expect(await rowsOf('notes.note_list')).toHaveLength(30);
  });
});

/** Every append is over by then: what is older is final, though writers go on. */
const OLD_ENOUGH_MS = 10_000;

describe('the replay log', () => {
  it('counts what is unread, up to 10,000, and its age', async () => {
    const { log } = await operator();
    const position = await note('note.test-a', 0, 'one');
    await note('note.live-b', 0, 'two');
    await note('note.test-a', 1, 'three');
    expect(await log.lag(['note.test'], position)).toMatchObject({ events: 1, capped: false });
    expect((await log.lag(['note.test'], null)).seconds).toBeGreaterThanOrEqual(0);
    expect(await log.lag(['note.test'], '3')).toEqual({ events: 0, capped: false, seconds: 0 });
    const inserted_ms = performance.now();
    await service.query(
      `insert into log.events select 10 + n, 'note.test-' || n, 'note.test', 0, gen_random_uuid(), 'Noted',
        '{}', json_build_object('recorded_at', now() - interval '1 hour') from generate_series(1, 10001) as n`,
    );
    const lag = await log.lag(['note.test'], '3');
    expect(lag).toMatchObject({ events: 10_000, capped: true });
    const since_s = (performance.now() - inserted_ms) / 1000;
    expect(lag.seconds).toBeGreaterThan(3_599);
    expect(lag.seconds).toBeLessThan(3_601 + since_s);
  });

  it('reads no further than what is final while somebody writes', async () => {
    const { log } = await operator();
    const appendNow = async (id: number): Promise<Position> => {
      const event = sampleEvent(`note.test-${id}`);
      const recorded_at = new Date().toISOString();
      const fresh = { ...event, metadata: { ...event.metadata, recorded_at } };
      const appended = await store.append(`note.test-${id}`, [fresh], 'no_stream');
      return (appended as { position: Position }).position;
    };
    const read = async () => {
      const positions: Position[] = [];
      for await (const batch of log.batches(['note.test'], null, null, 10)) {
        positions.push(...batch.map(({ position }) => position));
      }
      return positions;
    };
    const written: Position[] = [];
    let age_ms: number;
    do {
      const before = [...written];
      const began = performance.now();
      written.push(await appendNow(written.length));
      const found = await read();
      age_ms = performance.now() - began;
      // Where the reading took so long, the event may have become old enough, as those before it have.
      if (age_ms < OLD_ENOUGH_MS) expect(found).toEqual(before);
    } while (age_ms >= OLD_ENOUGH_MS);
    await store.close();
    open.splice(open.indexOf(store), 1);
    expect(await read()).toEqual(written);
  });
});
