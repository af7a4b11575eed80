// What a conformance suite cannot ask of every store: how the adapter bears a server that fails it.
import { spawn } from 'node:child_process';
import { inspect } from 'node:util';
import {
  Unavailable,
  type Log,
  type NewEvent,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';
import { noteOf, sampleEvent } from '@tender/eventing/testing';
import type { EventStoreDb, EventStoreDbOptions } from './index';
import {
  buildDouble,
  makeStore,
  ROOT,
  startDoubleOfTest,
  type DoubleOfTest,
} from './testing/store-of-test';

const stream: StreamName = 'note.test-a';
const note = (text: unknown, on: StreamName = stream): NewEvent => sampleEvent(on, { note: text });

describe('the adapter and a server that fails', () => {
  let server: DoubleOfTest;
  const stores: EventStoreDb[] = [];
  beforeAll(buildDouble);
  beforeEach(async () => {
    server = await startDoubleOfTest();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await server.end();
  });

  async function open(options: Partial<EventStoreDbOptions> = {}): Promise<EventStoreDb> {
    const store = makeStore(server.double.connection_string, options);
    stores.push(store);
    await store.start();
    return store;
  }

  function witness(store: EventStoreDb) {
    const seen: StoredEvent[] = [];
    const follower = store.follow({
      ...{ name: 'witness', categories: ['note.test'], from: null },
      onEvents: (events) => {
        seen.push(...events);
        return Promise.resolve();
      },
    });
    return { seen, follower };
  }

  it('loses and doubles nothing when the server is killed under load, three times over', async () => {
    const store = await open({ append_timeout_ms: 2_000 });
    const { seen, follower } = witness(store);
    let unavailable = 0;
    const acknowledged: string[] = [];
    const writing = Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        const own: StreamName = `note.test-${writer}`;
        for (let turn = 0; turn < 40; turn += 1) {
          const event = note(turn, own);
          await untilAnswered(store, event, own, turn, () => (unavailable += 1));
          acknowledged.push(event.metadata.id);
        }
      }),
    );
    for (let kill = 1; kill <= 3; kill += 1) {
      while (acknowledged.length < kill * 150) await turnOfLoop();
      await server.double.kill();
      const there = acknowledged.length;
      await server.restart();
      expect(there).toBeGreaterThanOrEqual(kill * 150);
    }
    await writing;
    await follower.idle();
    expect(unavailable).toBeGreaterThan(0);
    const ids = seen.map(({ metadata }) => metadata.id);
    expect([...ids].sort()).toEqual([...acknowledged].sort());
    for (let writer = 0; writer < 16; writer += 1) {
      const own = await store.load(`note.test-${writer}`);
      expect(own.map(noteOf)).toEqual(Array.from({ length: 40 }, (_, turn) => turn));
      expect(seen.filter((event) => event.stream === `note.test-${writer}`)).toEqual(own);
    }
  });

  it('replaces a subscription that is silent while the log moves', async () => {
    const warnings: string[] = [];
    const log = { ...quiet, warn: (_: object, message: string) => void warnings.push(message) };
    const store = await open({ silent_ms: 300, log });
    const { seen, follower } = witness(store);
    await store.append(stream, [note('heard')], 'no_stream');
    await follower.idle();
    await server.double.misbehave({ silence: true });
    await store.append(stream, [note('not heard')], 0);
    await follower.idle();
    expect(seen.map(noteOf)).toEqual(['heard', 'not heard']);
    expect(warnings).toContain('a subscription is silent and is replaced');
  });

  it('leaves a silent subscription alone where there is nothing to say', async () => {
    const warnings: string[] = [];
    const log = { ...quiet, warn: (_: object, message: string) => void warnings.push(message) };
    const store = await open({ silent_ms: 1, log });
    const { follower } = witness(store);
    await follower.idle();
    for (let turn = 0; turn < 3; turn += 1) {
      await store.append('memo.test-a', [note(turn)], turn === 0 ? 'no_stream' : turn - 1);
      await follower.idle();
    }
    expect(warnings).toEqual([]);
  });

  it('does not know the outcome of an append that takes too long, and finds it the next time', async () => {
    const store = await open({ append_timeout_ms: 300 });
    const event = note('slow');
    await server.double.misbehave({ answer_delay_ms: 600_000 });
    await appendUnheard(store, [event]);
    await server.double.misbehave({});
    const again = await answered(() => store.append(stream, [event], 'no_stream'));
    expect(again).toMatchObject({ ok: true, events: [{ revision: 0, data: { note: 'slow' } }] });
    expect(await store.load(stream)).toEqual((again as { events: unknown }).events);
  });

  it('answers a repeat of an append whose answer was lost from what is stored', async () => {
    const store = await open({ append_timeout_ms: 300 });
    const events = [note('one'), note('two')];
    await server.double.misbehave({ lose_acks: Number.MAX_SAFE_INTEGER });
    await appendUnheard(store, events);
    await server.double.misbehave({});
    const [two, three] = [note('other'), note('three')];
    const other = await answered(() => store.append(stream, [two], 'no_stream'));
    expect(other).toEqual({ ok: false, actual: 1 });
    const again = await answered(() => store.append(stream, events, 'no_stream'));
    expect(again).toMatchObject({ ok: true, events: await store.load(stream) });
    expect(await answered(() => store.append(stream, [three], 1))).toMatchObject({ ok: true });
  });

  it('answers Unavailable while the server refuses or is gone, and works when it is back', async () => {
    const store = await open();
    const { seen, follower } = witness(store);
    await server.double.misbehave({ refuse: true });
    await expect(store.append(stream, [note('refused')], 'no_stream')).rejects.toThrow(Unavailable);
    await expect(store.load(stream)).rejects.toThrow(Unavailable);
    await server.double.kill();
    await expect(store.append(stream, [note('gone')], 'no_stream')).rejects.toThrow(Unavailable);
    await expect(store.lag(['note.test'], null)).rejects.toThrow(Unavailable);
    await expect(makeStore(server.double.connection_string).start()).rejects.toThrow(Unavailable);
    await server.restart();
    await untilAnswered(store, note('back'), stream, 0, () => 0);
    await follower.idle();
    expect(seen.map(noteOf)).toEqual(['back']);
  });

  it('never takes a part of a stream for the whole', async () => {
    const store = await open();
    const many = Array.from({ length: 500 }, (_, n) => note(n));
    await store.append(stream, many, 'no_stream');
    await store.append(stream, many.map(({ data }) => note(noteOf({ data }))), 499);
    const whole = await store.load(stream);
    for (const read_timeout_ms of [5, 20, 60, 150, 400]) {
      const hasty = makeStore(server.double.connection_string, { read_timeout_ms });
      stores.push(hasty);
      const read = await hasty.load(stream).catch((error: unknown) => error);
      if (read instanceof Error) expect(read).toBeInstanceOf(Unavailable);
      else expect(read).toEqual(whole);
    }
  });

  it('stops a follower whose position is not in the log any more', async () => {
    const errors: string[] = [];
    const log = { ...quiet, error: (_: object, message: string) => void errors.push(message) };
    const store = await open({ log });
    await store.append(stream, [note('one')], 'no_stream');
    const follower = store.follow({
      ...{ name: 'ahead', categories: ['note.test'], from: '999999999' },
      onEvents: () => Promise.resolve(),
    });
    await expect(follower.idle()).rejects.toThrow('ahead is past the end of the log');
    expect(errors).toHaveLength(1);
  });

  it('tells no time before which an event is still to come', async () => {
    const clock = { ms: 1_800_000_000_000, wall: () => clock.ms };
    const [append_timeout_ms, late_ms] = [300_000, 100];
    const store = await open({ clock, append_timeout_ms, late_ms });
    const told: number[] = [];
    let earliest_ms = Number.POSITIVE_INFINITY;
    const follower = store.follow({
      ...{ name: 'watcher', categories: ['note.test'], from: null },
      onEvents(events) {
        for (const { metadata } of events) {
          const recorded_ms = Date.parse(metadata.recorded_at);
          earliest_ms = Math.min(earliest_ms, recorded_ms - Math.max(0, ...told));
        }
        return Promise.resolve();
      },
      onProgress(_position, wall_ms) {
        told.push(wall_ms);
        return Promise.resolve();
      },
    });
    const appendStamped = (turn: number) =>
      Promise.all(
        Array.from({ length: 4 }, (_, writer) => {
          const event = note(turn, `note.test-${writer}`);
          const recorded_at = new Date((clock.ms += 1)).toISOString();
          const stamped = { ...event, metadata: { ...event.metadata, recorded_at } };
          return store.append(`note.test-${writer}`, [stamped], turn === 0 ? 'no_stream' : turn - 1);
        }),
      );
    for (let turn = 0; turn < 100; turn += 1) {
      const latest_ms = clock.ms + append_timeout_ms + late_ms;
      const appending = appendStamped(turn);
      const looking = [follower.idle()];
      // Each of them is as late as it may be, and the log is looked at meanwhile.
      for (const ms of [clock.ms + append_timeout_ms / 2, latest_ms]) {
        clock.ms = ms;
        looking.push(follower.idle());
        await Promise.race([appending, looking.at(-1)]);
      }
      expect((await appending).every(({ ok }) => ok)).toBe(true);
      await Promise.all(looking);
    }
    const ended_ms = clock.ms;
    clock.ms += 2 * (append_timeout_ms + late_ms);
    while (!told.some((wall_ms) => wall_ms > ended_ms)) await follower.idle();
    expect(new Set(told).size).toBeGreaterThan(100);
    expect(earliest_ms).toBeGreaterThanOrEqual(0);
    expect(told).toEqual([...told].sort((one, other) => one - other));
  });

  it('counts what a follower has not handled, by reading on', async () => {
    const store = await open();
    expect(await store.lag(['note.test'], null)).toEqual({ events: 0, capped: false, seconds: 0 });
    await store.append(stream, [note(0), note(1), note(2)], 'no_stream');
    await store.append('memo.test-a', [note('elsewhere')], 'no_stream');
    const first = (await store.load(stream))[0]?.position ?? null;
    expect(await store.lag(['note.test'], null)).toMatchObject({ events: 3, capped: false });
    const lag = await store.lag(['note.test', 'note.live'], first);
    expect(lag).toMatchObject({ events: 2, capped: false });
    expect(lag.seconds).toBeGreaterThan(0);
    for (let turn = 0; turn < 20; turn += 1) {
      const many = Array.from({ length: 500 }, (_, n) => note(n));
      const appended = await store.append(stream, many, 2 + turn * 500);
      expect(appended).toMatchObject({ ok: true });
    }
    expect(await store.lag(['note.test'], null)).toMatchObject({ events: 10_000, capped: true });
  });

  it('shows every follower what several processes write', async () => {
    const store = await open();
    const { seen, follower } = witness(store);
    const written = await Promise.all(
      Array.from({ length: 4 }, (_, process) => writeElsewhere(server, process)),
    );
    await follower.idle();
    expect(seen.map(({ metadata }) => metadata.id).sort()).toEqual(written.flat().sort());
    const shared = await store.load('note.test-shared');
    expect(shared.map(({ revision }) => revision)).toEqual(shared.map((_, index) => index));
  });

  /** Until the server has them: on a busy machine it may not get the first ones before they are given up. */
  async function appendUnheard(store: EventStoreDb, events: readonly NewEvent[]): Promise<void> {
    do {
      await expect(store.append(stream, events, 'no_stream')).rejects.toThrow(Unavailable);
    } while ((await store.load(stream)).length === 0);
  }

  it('keeps credentials to itself', async () => {
    const said: unknown[] = [];
    const note_down = (...things: unknown[]): void => void said.push(things);
    const log: Log = { info: note_down, warn: note_down, error: note_down };
    const port = new URL(server.double.connection_string.replace('esdb', 'http')).port;
    const store = makeStore(`esdb://admin:canary-word@127.0.0.1:${port}?tls=false`, { log });
    stores.push(store);
    await store.start();
    const { follower } = witness(store);
    await server.double.kill();
    const append = store.append(stream, [note(0)], 'no_stream');
    const failure = await append.catch((error: unknown) => error);
    while (said.length < 2) await turnOfLoop();
    await follower.stop();
    expect(failure).toBeInstanceOf(Unavailable);
    expect(inspect([failure, said], { depth: 12, showHidden: true })).not.toContain('canary-word');
    await server.restart();
    for (const bad of ['esdb://admin:canary-word@host:x', 'http://admin:canary-word@host']) {
      expect(() => makeStore(bad)).toThrow('cannot be read');
      expect(() => makeStore(bad)).not.toThrow('canary-word');
    }
  });
});

const quiet: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** As a client does: the same events again until there is an answer. */
async function untilAnswered(
  store: EventStoreDb,
  event: NewEvent,
  stream: StreamName,
  revision: number,
  count: () => number,
): Promise<void> {
  const expected = revision === 0 ? 'no_stream' : revision - 1;
  const appended = await answered(() => store.append(stream, [event], expected), count);
  expect(appended).toMatchObject({ ok: true });
}

async function answered<Answer>(ask: () => Promise<Answer>, count = () => 0): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      count();
      await turnOfLoop();
    }
  }
}

/** Four writers in a process of their own, on a shared stream and on their own. Answers with the ids. */
function writeElsewhere(server: DoubleOfTest, number: number): Promise<string[]> {
  const script = `
    const { eventStoreDb } = require('@tender/adapter-eventstoredb');
    const { sampleEvent } = require('@tender/eventing/testing');
    const quiet = { info() {}, warn() {}, error() {} };
    const store = eventStoreDb({
      connectionString: process.argv[1], clock: { wall: Date.now }, log: quiet,
      append_timeout_ms: 300_000, read_timeout_ms: 300_000,
    });
    const write = async (writer) => {
      for (let turn = 0; turn < 12; turn += 1) {
        const stream = turn % 2 ? 'note.test-shared' : 'note.test-' + process.argv[2] + '-' + writer;
        const event = sampleEvent(stream, { turn }, { id: crypto.randomUUID() });
        let last = (await store.load(stream)).at(-1)?.revision ?? null;
        for (;;) {
          const appended = await store.append(stream, [event], last ?? 'no_stream');
          if (appended.ok) break;
          last = appended.actual;
        }
        process.stdout.write(event.metadata.id + '\\n');
      }
    };
    store.start().then(() => Promise.all([0, 1, 2, 3].map(write))).then(() => process.exit(0));`;
  const { connection_string } = server.double;
  const from_source = ['--conditions=source', '-r', './scripts/typescript-hook.cjs'];
  const args = [...from_source, '-e', script, connection_string, String(number)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve(out.trim().split('\n')) : reject(new Error(`a writer ended (${code})`)),
    );
  });
}
