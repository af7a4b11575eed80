import { Client } from 'pg';
import { Unavailable, type Appended, type StoredEvent, type StreamName } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import {
  LogIsTaken,
  postgresEventStore,
  sharedPostgresEventStore,
  type PostgresEventStore,
} from '../index';
import { APPEND_LOCK, LOCK_CLASS } from './log-locks';
import { TestProcess } from '../testing/child-process';
import type { LogTask } from '../testing/log-process';
import { patient, silentLog, systemClock } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';
import { undisturbed } from '../testing/undisturbed';

let server: TestPostgres;
let url: string;
const open: { close(): Promise<void> }[] = [];
const processes: TestProcess[] = [];

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  url = await server.database();
});
afterEach(async () => {
  for (const child of processes.splice(0)) await child.kill();
  for (const part of open.splice(0).reverse()) await part.close();
});

async function started(
  make = sharedPostgresEventStore,
  options: Partial<Parameters<typeof postgresEventStore>[0]> = {},
): Promise<PostgresEventStore> {
  const ports = { clock: systemClock, log: silentLog };
  const store = make({ connectionString: url, ...ports, ...patient, ...options });
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= store.close());
  open.push({ close });
  await store.start();
  return { ...store, close };
}

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  open.push({ close: () => client.end() });
  return client;
}

const note = (store: PostgresEventStore, stream: StreamName) =>
  store.append(stream, [sampleEvent(stream)], 'no_stream');

/** A committer waits for the log for four seconds, whatever holds it up. */
const keepingUp = (attempt: () => Promise<void>): Promise<void> =>
  undisturbed(url, async () => {
    url = await server.database();
    await attempt();
  });

const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

/** As a client does: the same again until there is an answer. */
async function answered(store: PostgresEventStore, stream: StreamName): Promise<Appended> {
  const events = [sampleEvent(stream)];
  for (;;) {
    try {
      return await store.append(stream, events, 'no_stream');
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}

describe('a Postgres log that several processes write', () => {
  it('and one that writes it alone keep each other out, and say why', async () => {
    const shared = await started();
    const lone = started(postgresEventStore, { lock_wait_ms: 50 });
    await expect(lone).rejects.toThrow(LogIsTaken);
    await expect(lone).rejects.toThrow(/shared by several processes \(pid \d+/);
    await shared.close();
    const alone = await started(postgresEventStore);
    const late = started(sharedPostgresEventStore, { lock_wait_ms: 50 });
    await expect(late).rejects.toThrow(/written by one process alone \(pid \d+/);
    await alone.close();
    await started();
  });

  it('starts four times at once on an empty database', async () => {
    const stores = await Promise.all([1, 2, 3, 4].map(() => started()));
    const appended = await Promise.all(
      stores.map((store, index) => note(store, `note.test-${index}`)),
    );
    const positions = appended.map((answer) => answer.ok && Number(answer.position));
    expect(positions.sort()).toEqual([1, 2, 3, 4]);
  });

  it('lets one of two processes win a stream', async () => {
    const [one, other] = [await started(), await started()];
    const races = Array.from({ length: 40 }, async (_, race) => {
      const stream: StreamName = `note.test-${race}`;
      const answers = await Promise.all([note(one, stream), note(other, stream)]);
      return answers.filter(({ ok }) => ok).length;
    });
    expect(new Set(await Promise.all(races))).toEqual(new Set([1]));
  });

  it('tells no time as past while another process may add an event of before it', () =>
    keepingUp(async () => {
      const [writer, reader] = [await started(), await started()];
      const seen: StoredEvent[] = [];
      let wall_ms = 0;
      let notices = 0;
      const follower = reader.follow({
        ...{ name: 'witness', categories: ['note.test'], from: null },
        onEvents: (events) => Promise.resolve(void seen.push(...events)),
        onProgress(_, time_ms) {
          wall_ms = time_ms;
          notices += 1;
          return Promise.resolve();
        },
      });
      const blocker = await connected();
      await blocker.query('begin');
      await blocker.query(`select pg_advisory_xact_lock(${LOCK_CLASS}, ${APPEND_LOCK})`);
      const appending = note(writer, 'note.test-a');
      const since_ms = systemClock.wall();
      for (const enough = notices + 4; notices < enough; ) await breathe();
      expect(wall_ms).toBeLessThanOrEqual(since_ms);
      expect(wall_ms).toBeGreaterThan(0);
      await blocker.query('rollback');
      while (wall_ms <= since_ms) await breathe();
      expect(seen).toHaveLength(1);
      expect(await appending).toMatchObject({ ok: true });
      await follower.stop();
    }));

  it('answers Unavailable while another connection holds the log, and goes on after that', () =>
    keepingUp(async () => {
      const store = await started(sharedPostgresEventStore, { append_timeout_ms: 50 });
      const blocker = await connected();
      await blocker.query('begin');
      await blocker.query(`select pg_advisory_xact_lock(${LOCK_CLASS}, ${APPEND_LOCK})`);
      await expect(note(store, 'note.test-a')).rejects.toThrow(Unavailable);
      await blocker.query('rollback');
      expect(await answered(store, 'note.test-b')).toMatchObject({ ok: true });
      expect(await store.load('note.test-a')).toHaveLength(1);
    }));

  it('follows on from a checkpoint of a process that has heard of more', async () => {
    const [ahead, behind] = [await started(), await started()];
    const appended = await note(ahead, 'note.test-a');
    const from = (appended as { position: string }).position;
    const seen: StoredEvent[] = [];
    const follower = behind.follow({
      ...{ name: 'heir', categories: ['note.test'], from },
      onEvents: (events) => Promise.resolve(void seen.push(...events)),
    });
    await note(ahead, 'note.test-b');
    await follower.idle();
    expect(seen.map(({ stream }) => stream)).toEqual(['note.test-b']);
  });

  it.each([
    ['alone', postgresEventStore],
    ['shared', sharedPostgresEventStore],
  ])('counts what a follower has before it (%s)', async (_, make) => {
    const store = await started(make);
    const first = await note(store, 'note.test-a');
    await note(store, 'note.test-b');
    await note(store, 'memo.test-c');
    const none = { events: 0, capped: false, seconds: 0 };
    expect(await store.lag(['word.test'], null)).toEqual(none);
    const all = await store.lag(['note.test', 'memo.test'], null);
    expect(all).toMatchObject({ events: 3, capped: false });
    const rest = await store.lag(['note.test'], (first as { position: string }).position);
    expect(rest.events).toBe(1);
    expect(rest.seconds).toBeGreaterThan(0);
  });
});

describe('three processes that write and two that follow', () => {
  const run = (task: LogTask): TestProcess => {
    const child = new TestProcess('log-process.ts', task);
    processes.push(child);
    return child;
  };

  it('skip nothing and see nothing twice, though one is killed', async () => {
    const follow = (name: string) => run({ role: 'follow', url, name });
    const killed = follow('killed');
    const steady = follow('steady');
    const writers = ['a', 'b', 'c'].map((name) => run({ role: 'write', url, name, turns: 24 }));
    await killed.heard(3);
    await killed.kill();
    const cut_off = run({ role: 'write', url, name: 'cut-off', turns: 1_000_000 });
    const again = follow('killed');
    await again.heard(3);
    await cut_off.kill();
    await Promise.all(writers.map((writer) => writer.heard(1)));
    await steady.heard(1);

    const sql = await connected();
    const rows = async <Row>(text: string) => (await sql.query(text)).rows as Row[];
    const count = async (follower: string) => {
      const text = `select count(*)::int as seen from witness.seen where follower = '${follower}'`;
      return (await rows<{ seen: number }>(text))[0]?.seen;
    };
    // All appends have an outcome, and the killed process is gone from the table of those that write.
    const reader = await started();
    let wall_ms = 0;
    reader.follow({
      ...{ name: 'time', categories: ['note.test'], from: null },
      onEvents: () => Promise.resolve(),
      onProgress: (_, time_ms) => Promise.resolve(void (wall_ms = time_ms)),
    });
    const now_ms = systemClock.wall();
    while (wall_ms <= now_ms) await breathe();

    const events = await rows<{ position: string; id: string; stream: string; revision: number }>(
      'select position, id::text, stream, revision from log.events order by position',
    );
    for (const name of ['killed', 'steady']) {
      while ((await count(name)) !== events.length) await breathe();
      const seen = await rows<{ position: string; id: string }>(
        `select position, id from witness.seen where follower = '${name}' order by place`,
      );
      expect(seen).toEqual(events.map(({ position, id }) => ({ position, id })));
    }
    const ids = new Set(events.map(({ id }) => id));
    const answered = writers.flatMap(({ messages }) => messages[0] as string[]);
    expect(answered.length).toBe(3 * 16 * 32);
    expect(answered.filter((id) => !ids.has(id))).toEqual([]);
    const next = new Map<string, number>();
    for (const { stream, revision } of events) {
      expect(revision).toBe(next.get(stream) ?? 0);
      next.set(stream, revision + 1);
    }
  });
});
