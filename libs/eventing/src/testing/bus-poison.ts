/// <reference types="jest" />
import type { PublicEvent } from '../ports/bus';
import { NotThisOne } from '../ports/failures';
import { breathe, collect, hurryRetries, NOTED, write, type BusUnderTest } from './bus-under-test';
import { noteOf } from './sample-events';

export function busPoison(opened: () => BusUnderTest): void {
  afterEach(() => {
    hurryRetries(false);
  });

  it('holds back the key of a message that fails, and no other', async () => {
    const { store, bus } = opened();
    let broken = true;
    const fails = (event: PublicEvent) => broken && event.key === 'note.test-bad';
    const { seen, consumer, until } = await collect(bus, 'readers.count-notes', [NOTED], fails);
    const other = await collect(bus, 'readers.print-notes', [NOTED]);
    await write(store, 'note.test-good', 0, ['g0']);
    await write(store, 'note.test-bad', 0, ['b0', 'b1']);
    await write(store, 'note.test-good', 1, ['g1']);
    await consumer.idle();
    await write(store, 'note.test-bad', 2, ['b2']);
    await write(store, 'note.test-good', 2, ['g2']);
    await consumer.idle();
    await other.consumer.idle();
    expect(seen.map(noteOf)).toEqual(['g0', 'g1', 'g2']);
    expect(other.seen.map(noteOf)).toEqual(['g0', 'b0', 'b1', 'g1', 'b2', 'g2']);

    broken = false;
    await until(() => seen.length === 6);
    const bad = seen.filter(({ key }) => key === 'note.test-bad');
    expect(bad.map(noteOf)).toEqual(['b0', 'b1', 'b2']);
    await write(store, 'note.test-bad', 3, ['b3']);
    await until(() => seen.length === 7);
    expect(noteOf(seen[6] as PublicEvent)).toBe('b3');
  });

  it('tries five times, then waits; nothing is dropped', async () => {
    const { store, bus, reopen } = opened();
    hurryRetries(true);
    let tries = 0;
    const broken = await bus.consume({
      consumer: 'readers.count-notes',
      types: [NOTED],
      handler: () => {
        tries += 1;
        return Promise.reject(new Error('meant'));
      },
    });
    await write(store, 'note.test-bad', 0, ['b0']);
    await broken.idle();
    while (tries < 5) await breathe();
    // What became of the last try is written down after it.
    while ((await broken.nextTry()) !== null) await breathe();
    for (let wait = 0; wait < 5; wait += 1) await breathe();
    expect([tries, await broken.nextTry()]).toEqual([5, null]);

    const { seen, consumer } = await collect(await reopen(), 'readers.count-notes', [NOTED]);
    await write(store, 'note.test-bad', 1, ['b1']);
    await write(store, 'note.test-good', 0, ['g0']);
    await consumer.idle();
    expect(seen.map(noteOf)).toEqual(['g0']);
  });

  it('tries what cannot be done for one message alone until it can; others go on meanwhile', async () => {
    const { store, bus } = opened();
    hurryRetries(true);
    const seen: PublicEvent[] = [];
    let tries = 0;
    const consumer = await bus.consume({
      consumer: 'readers.count-notes',
      types: [NOTED],
      handler: (batch) => {
        const is_bad = batch.length === 1 && batch[0]?.key === 'note.test-bad';
        if (is_bad) tries += 1;
        const is_over = is_bad && tries === 8;
        if (!is_over && batch.some(({ key }) => key === 'note.test-bad')) {
          return Promise.reject(new NotThisOne('elsewhere', { reason: 'its list is old' }));
        }
        seen.push(...batch);
        return Promise.resolve();
      },
    });
    await write(store, 'note.test-bad', 0, ['b0']);
    await write(store, 'note.test-good', 0, ['g0']);
    await consumer.idle();
    expect(seen.map(noteOf)).toContain('g0');
    while (seen.length < 2) await breathe();
    expect([seen.map(noteOf), tries]).toEqual([['g0', 'b0'], 8]);
  });

  it('goes on with parked messages after a restart', async () => {
    const { store, bus, reopen } = opened();
    const fails = ({ key }: PublicEvent) => key === 'note.test-bad';
    const { consumer } = await collect(bus, 'readers.count-notes', [NOTED], fails);
    await write(store, 'note.test-bad', 0, ['b0', 'b1']);
    await consumer.idle();
    expect(await consumer.nextTry()).not.toBeNull();
    const { seen, until } = await collect(await reopen(), 'readers.count-notes', [NOTED]);
    await until(() => seen.length === 2);
    expect(seen.map(noteOf)).toEqual(['b0', 'b1']);
  });
}
