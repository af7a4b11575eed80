import { accept, refuse, type Clock, type Decider, type Decision } from '@tender/kernel';
import { commandHandler, hashOf, type CommandOrigin } from './command-handler';
import type { NewEvent, StoredEvent, StreamName } from '../events/event';
import type { Appended, EventStore, ExpectedRevision } from '../ports/event-store';
import { Unavailable } from '../ports/failures';

type Opened = { type: 'Opened'; data: { name: string } };
type Added = { type: 'Added'; data: { units: number } };
type JarEvent = Opened | Added;
type Open = { type: 'Open'; name: string };
type Add = { type: 'Add'; units: number };
type Jar = { open: boolean; units: number };

const jar = {
  initial: { open: false, units: 0 },
  evolve: (state: Jar, event: JarEvent): Jar =>
    event.type === 'Opened'
      ? { ...state, open: true }
      : { ...state, units: state.units + event.data.units },
  decide: {
    Open: ({ name }: Open, state: Jar): Decision<JarEvent, 'already_open'> =>
      state.open ? refuse('already_open') : accept({ type: 'Opened', data: { name } }),
    Add({ units }: Add, state: Jar): Decision<JarEvent, 'not_open' | 'too_much'> {
      if (!state.open) return refuse('not_open');
      if (state.units + units > 100) return refuse('too_much', { units: state.units });
      return units === 0 ? accept() : accept({ type: 'Added', data: { units } });
    },
  },
} satisfies Decider<Jar, JarEvent>;

const stream: StreamName = 'jar.test-1';

/** One stream in an array, and a way to let another writer be faster. */
class OneStream implements EventStore {
  readonly events: StoredEvent[] = [];
  readonly expected: ExpectedRevision[] = [];
  beforeAppend: (() => void) | null = null;

  append(
    on: StreamName,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<Appended> {
    this.expected.push(expected);
    this.beforeAppend?.();
    const first = expected === 'no_stream' ? 0 : expected + 1;
    if (first !== this.events.length) {
      return Promise.resolve({ ok: false, actual: this.events.length - 1 });
    }
    return Promise.resolve({ ok: true, ...this.put(on, events) });
  }

  put(on: StreamName, events: readonly NewEvent[]) {
    const stored = events.map((event, index) => {
      const revision = this.events.length + index;
      return { ...event, stream: on, revision, position: String(revision + 1) };
    });
    this.events.push(...stored);
    return { events: stored, position: String(this.events.length) };
  }

  load = () => Promise.resolve([...this.events]);
  newest = () => Promise.resolve(this.events.at(-1)?.position ?? null);
  isBefore = (position: string, other: string) => Number(position) < Number(other);
  follow = () => {
    throw new Error('nothing follows here');
  };
}

function underTest() {
  const handleJar = commandHandler({ decider: jar, begins: ['Open'] });
  const store = new OneStream();
  let made = 0;
  const clock: Clock = { now: () => 1_767_225_600_000, wall: () => 1_767_225_601_000 };
  const random = {
    uuid: () => `event-${(made += 1)}`,
    bytes: () => Buffer.alloc(0),
    fraction: () => 0,
  };
  const handle = (on: StreamName, command: Open | Add, from: CommandOrigin) =>
    handleJar({ eventStore: store, clock, random }, on, command, from);
  return { store, handle };
}

const origin = (command_id: string, body_hash: string | null = `hash of ${command_id}`) =>
  ({
    ...{ command_id, body_hash, merchant_id: 'mrc_1', actor: 'key:1' },
    ...{ correlation_id: 'c1', causation_id: null },
  }) satisfies CommandOrigin;

describe('commandHandler', () => {
  it('begins a stream without loading it, and stamps the event', async () => {
    const { store, handle } = underTest();
    const load = jest.spyOn(store, 'load');
    const handled = await handle(stream, { type: 'Open', name: 'coins' }, origin('r1'));
    expect(handled).toMatchObject({
      ...{ ok: true, repeated: false, position: '1', state: { open: true, units: 0 } },
    });
    expect(load).not.toHaveBeenCalled();
    expect(store.events[0]?.metadata).toEqual({
      ...{ id: 'event-1', type: 'Opened', schema_version: 1, mode: 'test', merchant_id: 'mrc_1' },
      ...{ subject_ids: [], actor: 'key:1', command_id: 'r1', body_hash: 'hash of r1' },
      ...{ correlation_id: 'c1', causation_id: null, prev_hash: null },
      ...{ occurred_at: '2026-01-01T00:00:00.000Z', recorded_at: '2026-01-01T00:00:01.000Z' },
    });
  });

  it('chains the hashes of a stream', async () => {
    const { store, handle } = underTest();
    await handle(stream, { type: 'Open', name: 'coins' }, origin('r1'));
    await handle(stream, { type: 'Add', units: 5 }, origin('r2'));
    const [first, second] = store.events as [StoredEvent, StoredEvent];
    expect(second.metadata.prev_hash).toBe(hashOf(first));
    expect(hashOf({ ...first, data: { name: 'changed' } })).not.toBe(second.metadata.prev_hash);
  });

  it('answers a repeat from what is stored, as it was right after it', async () => {
    const { store, handle } = underTest();
    const first = await handle(stream, { type: 'Open', name: 'coins' }, origin('r1'));
    const second = await handle(stream, { type: 'Add', units: 5 }, origin('r2'));
    await handle(stream, { type: 'Add', units: 7 }, origin('r3'));
    const again = await handle(stream, { type: 'Add', units: 5 }, origin('r2'));
    expect(again).toEqual({ ...second, repeated: true });
    expect(await handle(stream, { type: 'Open', name: 'coins' }, origin('r1'))).toEqual({
      ...{ ...first, repeated: true },
    });
    expect(store.events).toHaveLength(3);
  });

  it('refuses a repeat with another body, and appends nothing', async () => {
    const { store, handle } = underTest();
    await handle(stream, { type: 'Open', name: 'coins' }, origin('r1'));
    const other = await handle(stream, { type: 'Open', name: 'notes' }, origin('r1', 'other body'));
    expect(other).toEqual({
      ...{ ok: false, refusal: 'idempotency_key_reused' },
      first_used_at: '2026-01-01T00:00:00.000Z',
    });
    expect(store.events).toHaveLength(1);
  });

  it('hears of another request that took the stream from the decider', async () => {
    const { handle } = underTest();
    await handle(stream, { type: 'Open', name: 'coins' }, origin('r1'));
    const second = await handle(stream, { type: 'Open', name: 'coins' }, origin('r2'));
    expect(second).toEqual({ ok: false, refusal: 'already_open' });
  });

  it('decides again on a stale revision, with what the faster one did', async () => {
    const { store, handle } = underTest();
    await handle(stream, { type: 'Open', name: 'coins' }, origin('r1'));
    store.beforeAppend = () => {
      store.beforeAppend = null;
      const [opened] = store.events as [StoredEvent];
      const metadata = { ...opened.metadata, command_id: 'x' };
      store.put(stream, [{ type: 'Added', data: { units: 98 }, metadata }]);
    };
    const refused = await handle(stream, { type: 'Add', units: 5 }, origin('r2'));
    expect(refused).toEqual({ ok: false, refusal: 'too_much', details: { units: 98 } });
    const fits = await handle(stream, { type: 'Add', units: 2 }, origin('r3'));
    expect(fits).toMatchObject({ ok: true, state: { units: 100 } });
    expect(store.expected).toEqual(['no_stream', 0, 1]);
  });

  it('appends nothing when the command already has its effect', async () => {
    const { store, handle } = underTest();
    await handle(stream, { type: 'Open', name: 'coins' }, origin('r1'));
    expect(await handle(stream, { type: 'Add', units: 0 }, origin('r2'))).toEqual({
      ...{ ok: true, state: { open: true, units: 0 }, events: [], position: null, repeated: false },
    });
    expect(store.events).toHaveLength(1);
  });

  it('lets sixty writers at once have their effect, each once, whenever their loads end', async () => {
    const { store, handle } = underTest();
    await handle(stream, { type: 'Open', name: 'coins' }, origin('r0'));
    // As with a pool of connections: while some load, others append.
    let loads = 0;
    store.load = async () => {
      const late = (loads += 1) % 10;
      for (let wait = 0; wait < late * 5; wait += 1) await Promise.resolve();
      return [...store.events];
    };
    const ids = Array.from({ length: 60 }, (_, index) => `r${index + 1}`);
    const add = (id: string) => handle(stream, { type: 'Add', units: 1 }, origin(id));
    const handled = await Promise.all([...ids, ...ids.slice(0, 20)].map(add));
    expect(handled.every(({ ok }) => ok)).toBe(true);
    expect(handled.filter((one) => one.ok && one.repeated)).toHaveLength(20);
    expect(store.events.map(({ metadata }) => metadata.command_id).sort()).toEqual(
      ['r0', ...ids].sort(),
    );
    const chained = store.events.slice(1).map(({ metadata }) => metadata.prev_hash);
    expect(chained).toEqual(store.events.slice(0, -1).map(hashOf));
    const refused = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        handle(stream, { type: 'Add', units: 1 }, origin(`more${index}`)),
      ),
    );
    expect(refused.filter(({ ok }) => !ok)).toHaveLength(20);
    expect(store.events).toHaveLength(101);
  });

  it('lets none that come later be always faster than one that was too late', async () => {
    const { store, handle } = underTest();
    await handle(stream, { type: 'Open', name: 'coins' }, origin('r0'));
    const add = (id: string) => handle(stream, { type: 'Add', units: 1 }, origin(id));
    const come: ReturnType<typeof add>[] = [];
    let is_quick = false;
    store.load = async () => {
      const seen = [...store.events];
      if (is_quick || come.length === 20) return seen;
      is_quick = true;
      come.push(add(`later${come.length}`));
      is_quick = false;
      for (let wait = 0; wait < 50; wait += 1) await Promise.resolve();
      return seen;
    };
    expect(await add('r1')).toMatchObject({ ok: true });
    // Each that comes brings the next one.
    for (let at = 0; at < 20; at += 1) expect(await come[at]).toMatchObject({ ok: true });
  });

  it('loads nothing more once those that took turns have ended', async () => {
    const { store, handle } = underTest();
    await handle(stream, { type: 'Open', name: 'coins' }, origin('r0'));
    const add = (id: string) => handle(stream, { type: 'Add', units: 1 }, origin(id));
    await Promise.all(['r1', 'r2', 'r3'].map(add));
    const load = jest.spyOn(store, 'load');
    const append = jest.spyOn(store, 'append');
    await add('r4');
    expect([load.mock.calls.length, append.mock.calls.length]).toEqual([1, 1]);
  });

  it('gives up when another writer is always faster', async () => {
    const { store, handle } = underTest();
    await handle(stream, { type: 'Open', name: 'coins' }, origin('r1'));
    const [opened] = store.events as [StoredEvent];
    const metadata = { ...opened.metadata, command_id: 'x' };
    store.beforeAppend = () => store.put(stream, [{ type: 'Added', data: { units: 1 }, metadata }]);
    const late = handle(stream, { type: 'Add', units: 1 }, origin('r2'));
    await expect(late).rejects.toThrow(Unavailable);
  });
});
