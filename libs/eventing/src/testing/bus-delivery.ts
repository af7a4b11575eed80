/// <reference types="jest" />
import type { StreamMode, StreamName } from '../events/event';
import type { PublicEvent } from '../ports/bus';
import { Unavailable } from '../ports/failures';
import { collect, ERASED, NOTED, write, type BusUnderTest } from './bus-under-test';
import { noteOf } from './sample-events';

export function busDelivery(opened: () => BusUnderTest): void {
  it('tells what a context makes public, and nothing private', async () => {
    const { store, bus } = opened();
    const { seen, consumer } = await collect(bus, 'readers.count-notes', [NOTED, ERASED]);
    await write(store, 'note.test-a', 0, ['one'], 'Noted');
    await write(store, 'note.test-a', 1, ['secret'], 'Kept');
    await write(store, 'note.live-a', 0, ['two'], 'Erased');
    await consumer.idle();
    const [stored] = await store.load('note.test-a');
    const noted = seen.find(({ type }) => type === NOTED);
    expect(seen.map(noteOf).sort()).toEqual(['one', 'two']);
    expect(noted).toEqual({
      ...{ type: NOTED, mode: 'test', key: 'note.test-a', sequence: 0, merchant_id: 'mrc_1' },
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-/),
      correlation_id: stored?.metadata.correlation_id,
      causation_id: stored?.metadata.id,
      occurred_at: stored?.metadata.occurred_at,
      recorded_at: stored?.metadata.recorded_at,
      data: { note: 'one' },
    });
    expect(noted?.id).not.toBe(stored?.metadata.id);
    expect(seen.find(({ type }) => type === ERASED)).toMatchObject({
      ...{ mode: 'live', merchant_id: null },
    });
  });

  it('tells only the types asked for', async () => {
    const { store, bus } = opened();
    const { seen, consumer } = await collect(bus, 'readers.count-notes', [ERASED]);
    await write(store, 'note.test-a', 0, ['one'], 'Noted');
    await write(store, 'note.test-a', 1, ['two'], 'Erased');
    await consumer.idle();
    expect(seen.map(({ type }) => type)).toEqual([ERASED]);
  });

  it('keeps the order per key', async () => {
    const { store, bus } = opened();
    const { seen, consumer } = await collect(bus, 'readers.count-notes', [NOTED]);
    const streams: StreamName[] = ['note.test-a', 'note.test-b', 'note.test-c'];
    await Promise.all(
      streams.map(async (stream) => {
        for (let turn = 0; turn < 30; turn += 1) await write(store, stream, turn, [`${turn}`]);
      }),
    );
    await consumer.idle();
    for (const stream of streams) {
      const sequences = seen.filter(({ key }) => key === stream).map(({ sequence }) => sequence);
      expect(sequences).toEqual(Array.from({ length: 30 }, (_, n) => n));
    }
  });

  it('keeps a checkpoint of its own per consumer, also over a restart', async () => {
    const { store, bus, reopen } = opened();
    const first = await collect(bus, 'readers.count-notes', [NOTED]);
    await write(store, 'note.test-a', 0, ['one', 'two']);
    await first.consumer.idle();
    const again = await reopen();
    const same = await collect(again, 'readers.count-notes', [NOTED]);
    const other = await collect(again, 'readers.print-notes', [NOTED]);
    await write(store, 'note.test-a', 2, ['three']);
    await same.consumer.idle();
    await other.consumer.idle();
    expect(first.seen.map(noteOf)).toEqual(['one', 'two']);
    expect(same.seen.map(noteOf)).toEqual(['three']);
    expect(other.seen.map(noteOf)).toEqual(['one', 'two', 'three']);
    expect(other.seen[0]).toEqual(first.seen[0]);
  });

  it('goes on after a restart in the middle, without a gap or a repeat', async () => {
    const { store, bus, reopen } = opened();
    const first = await collect(bus, 'readers.count-notes', [NOTED]);
    const streams: StreamName[] = ['note.test-a', 'note.test-b', 'note.live-c', 'note.live-d'];
    let go_on = (): void => undefined;
    const middle = new Promise<void>((resolve) => (go_on = resolve));
    const writing = Promise.all(
      streams.map(async (stream) => {
        for (let turn = 0; turn < 60; turn += 1) {
          if (turn === 30) await middle;
          await write(store, stream, turn, [`${turn}`]);
        }
      }),
    );
    await first.until(() => first.seen.length > 0);
    go_on();
    const second = await collect(await reopen(), 'readers.count-notes', [NOTED]);
    await writing;
    await second.consumer.idle();
    for (const stream of streams) {
      const told = [...first.seen, ...second.seen].filter(({ key }) => key === stream);
      expect(told.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 60 }, (_, n) => n));
    }
  });

  it('tells again what ended without a checkpoint, and parks nothing for an outage', async () => {
    const { store, bus } = opened();
    let outages = 2;
    const seen: PublicEvent[] = [];
    const consumer = await bus.consume({
      consumer: 'readers.count-notes',
      types: [NOTED],
      handler: (batch) => {
        outages -= 1;
        if (outages >= 0) return Promise.reject(new Unavailable('elsewhere'));
        seen.push(...batch);
        return Promise.resolve();
      },
    });
    await write(store, 'note.test-a', 0, ['one', 'two']);
    await consumer.idle();
    expect(seen.map(noteOf)).toEqual(['one', 'two']);
  });

  it('says how far it has come, in each mode, when a consumer waits for it', async () => {
    const { store, bus } = opened();
    const modes = new Set<StreamMode>();
    let seen = 0;
    let awaited: number | null = null;
    const told = new Promise<void>((resolve) => {
      void bus.consume({
        consumer: 'readers.count-notes',
        types: [NOTED],
        handler: (batch) => {
          seen += batch.length;
          return Promise.resolve();
        },
        awaits: () => awaited,
        onProgress: (mode, wall_ms) => {
          if (seen === 1 && awaited !== null && wall_ms >= awaited) modes.add(mode);
          if (modes.size === 2) resolve();
        },
      });
    });
    await write(store, 'note.test-a', 0, ['one']);
    awaited = Date.now();
    await told;
    expect([...modes].sort()).toEqual(['live', 'test']);
  });

  it('says that it has taken a mode over before it hands over any of it', async () => {
    const { store, bus } = opened();
    const told: string[] = [];
    const consumer = await bus.consume({
      consumer: 'readers.count-notes',
      types: [NOTED],
      handler: (batch) => Promise.resolve(void told.push(...batch.map(({ mode }) => `hears ${mode}`))),
      onTakeOver: (mode) => void told.push(`takes ${mode}`),
    });
    await write(store, 'note.test-a', 0, ['one']);
    await write(store, 'note.live-a', 0, ['two']);
    await consumer.idle();
    for (const mode of ['test', 'live']) {
      const taken = told.indexOf(`takes ${mode}`);
      expect(taken).toBeGreaterThanOrEqual(0);
      expect(told.indexOf(`hears ${mode}`)).toBeGreaterThan(taken);
    }
  });
}
