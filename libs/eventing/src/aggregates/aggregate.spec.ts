import { createHash } from 'node:crypto';
import { accept, type Decider, type Decision, type Mode } from '@tender/kernel';
import type { NewEvent, StoredEvent, StreamName } from '../events/event';
import type { EventStore } from '../ports/event-store';
import type { KeyRing } from '../ports/key-ring';
import { sampleEvent } from '../testing';
import { aggregate, type MerchantRequest } from './aggregate';

const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;

interface Filled {
  readonly type: 'Filled';
  readonly data: { readonly merchant_id: string; readonly units: number };
}
type Jar = { readonly status: 'unknown' } | (Filled['data'] & { readonly status: 'filled' });
interface Fill {
  readonly type: 'Fill';
  readonly jar: Filled['data'];
}
interface Shake {
  readonly type: 'Shake';
}
const rules = {
  initial: { status: 'unknown' },
  evolve: (_: Jar, { data }: Filled): Jar => ({ ...data, status: 'filled' }),
  decide: {
    Fill: ({ jar }: Fill): Decision<Filled, never> => accept({ type: 'Filled', data: jar }),
    Shake: (_: Shake): Decision<Filled, never> => accept(),
  },
} satisfies Decider<Jar, Filled>;

const jar = aggregate({
  noun: 'jar',
  modes: ['test', 'live'],
  modeOf: (id) => (id.startsWith('live') ? 'live' : id.startsWith('test') ? 'test' : null),
  decider: rules,
  begins: ['Fill'],
  view: {
    name: 'cellar.jars@1',
    table: 'cellar.jars',
    merchantOf: ({ merchant_id }) => merchant_id,
    columns: { units: ['int', ({ units }) => units] },
  },
});

/** Streams in memory, and a clock that a test moves. */
function ports() {
  const streams = new Map<StreamName, StoredEvent[]>();
  let now_ms = START_MS;
  let made = 0;
  const eventStore = {
    append: async (stream: StreamName, events: readonly NewEvent[]) => {
      const before = streams.get(stream) ?? [];
      if (before.length > 0) return { ok: false, actual: before.length - 1 } as const;
      const stored = events.map((event, at) => {
        made += 1;
        return { ...event, stream, revision: at, position: String(made) };
      });
      streams.set(stream, stored);
      return { ok: true, events: stored, position: String(made) } as const;
    },
    load: async (stream: StreamName) => streams.get(stream) ?? [],
  } as unknown as EventStore;
  const keyRing = {
    idBytes: (text: string) => createHash('sha256').update(text).digest(),
  } as unknown as KeyRing;
  const random = { uuid: () => `u${made}`, bytes: () => Buffer.alloc(0), fraction: () => 0 };
  const clock = { now: () => now_ms, wall: () => now_ms };
  const pass = (ms: number): void => void (now_ms += ms);
  return { runtime: { eventStore, clock, random, keyRing }, streams, pass };
}

const request = (mode: Mode, body_hash = 'body'): MerchantRequest => ({
  ...{ merchant_id: 'm1', mode, actor: 'key:1', correlation_id: 'c1' },
  ...{ command_id: 'asked', id_seed: '00'.repeat(16), body_hash },
});
const fill = (units: number) => (asked: MerchantRequest) => ({
  id: `${asked.mode}_${asked.id_seed}`,
  command: { type: 'Fill', jar: { merchant_id: asked.merchant_id, units } } as const,
});

describe('the request of a client', () => {
  it('is answered once within a day, whatever its repeats', async () => {
    const { runtime, streams, pass } = ports();
    const first = await jar.request(runtime, request('test'), fill(5));
    pass(DAY_MS);
    const again = await jar.request(runtime, request('test'), fill(5));
    expect(first.handled).toMatchObject({ ok: true, repeated: false, state: { units: 5 } });
    expect(again.handled).toMatchObject({ ok: true, repeated: true, state: { units: 5 } });
    expect([...streams.keys()]).toEqual([`jar.test-test_${'00'.repeat(16)}`]);
  });

  it('is another request when its key comes again after a day, with the same body or another', async () => {
    const { runtime, streams, pass } = ports();
    await jar.request(runtime, request('test'), fill(5));
    pass(DAY_MS + 1);
    const later = await jar.request(runtime, request('test', 'other body'), fill(7));
    expect(later.handled).toMatchObject({ ok: true, repeated: false, state: { units: 7 } });
    expect(later.asked.command_id).toBe('asked/1');
    expect(streams.size).toBe(2);
    pass(DAY_MS + 1);
    await jar.request(runtime, request('test', 'other body'), fill(7));
    expect(streams.size).toBe(3);
  });

  it('is refused while its key stands for another body', async () => {
    const { runtime } = ports();
    await jar.request(runtime, request('test'), fill(5));
    const other = await jar.request(runtime, request('test', 'other body'), fill(7));
    expect(other.handled).toMatchObject({ ok: false, refusal: 'idempotency_key_reused' });
  });
});

it('is loaded in the mode that its id tells, and in no other', async () => {
  const { runtime } = ports();
  await jar.request(runtime, request('live'), fill(5));
  const id = `live_${'00'.repeat(16)}`;
  expect(await jar.load(runtime, 'live', id)).toMatchObject({ units: 5 });
  expect(await jar.load(runtime, 'test', id)).toBeNull();
  expect(await jar.load(runtime, 'live', 'live_none')).toBeNull();
  expect(await jar.load(runtime, 'live', 'something')).toBeNull();
});

it('does not take a command as done that leaves nothing', async () => {
  const { runtime } = ports();
  const origin = { ...request('test'), body_hash: null, causation_id: null };
  const shaken = jar.handle(runtime, 'test', 'test_none', { type: 'Shake' }, origin);
  await expect(shaken).rejects.toThrow('there is a jar once a command to it holds');
});

it('says in each row whose it is', async () => {
  const asked: { text: string; values: readonly unknown[] }[] = [];
  const tx = {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      asked.push({ text, values });
      return [] as Row[];
    },
  };
  const data = { merchant_id: 'm1', units: 5 };
  const stored = { ...sampleEvent('jar.live-live_1', data), stream: 'jar.live-live_1' as const };
  await jar.view.apply([{ ...stored, revision: 0, position: '7' }], tx, jar.view.table);
  expect(asked[0]?.text).toContain('(id, state, position, merchant_id, mode, units)');
  expect(asked[0]?.values.slice(2)).toEqual([['7'], ['m1'], ['live'], [5]]);
});

it('has a noun without a dash: the category of its streams ends before the first one', () => {
  const options = { modes: ['test'], decider: rules, begins: [] } as const;
  expect(() => aggregate({ ...options, noun: 'jar-of-jam' })).toThrow('a noun is of letters alone');
});
