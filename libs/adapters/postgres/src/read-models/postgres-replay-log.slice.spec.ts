import type { Category, Position, StoredEvent } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { rebuildStage } from '../testing/rebuild-stage';

const { store, service, endStore, operator, note } = rebuildStage();

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
    await service().query(
      `insert into log.events select 10 + n, 'note.test-' || n, 'note.test', 0, gen_random_uuid(), 'Noted',
        '{}', json_build_object('recorded_at', now() - interval '1 hour') from generate_series(1, 10001) as n`,
    );
    const lag = await log.lag(['note.test'], '3');
    expect(lag).toMatchObject({ events: 10_000, capped: true });
    const since_s = (performance.now() - inserted_ms) / 1000;
    expect(lag.seconds).toBeGreaterThan(3_599);
    expect(lag.seconds).toBeLessThan(3_601 + since_s);
  });

  it.each([1, 2])('leaves the metadata to those who do not fold, of %i categories', async (count) => {
    const { log } = await operator();
    for (const id of [1, 2, 3]) {
      await store().append(`note.test-${id}`, [sampleEvent(`note.test-${id}`)], 'no_stream');
    }
    await endStore();
    const categories: Category[] = ['note.test', 'other.test'].slice(0, count) as Category[];
    const all = async (batches: AsyncIterable<readonly object[]>) => {
      const events: object[] = [];
      for await (const batch of batches) events.push(...batch);
      return events;
    };
    const whole = await all(log.batches(categories, null, null, 2));
    expect(whole).toHaveLength(3);
    expect(await all(log.foldedBatches(categories, null, null, 2))).toEqual(
      whole.map((event) => {
        const { metadata, ...folded } = event as StoredEvent;
        expect(metadata.id).toBeDefined();
        return folded;
      }),
    );
  });

  it('reads no further than what is final while a program writes', async () => {
    const { log } = await operator();
    const appendNow = async (id: number): Promise<Position> => {
      const event = sampleEvent(`note.test-${id}`);
      const recorded_at = new Date().toISOString();
      const fresh = { ...event, metadata: { ...event.metadata, recorded_at } };
      const appended = await store().append(`note.test-${id}`, [fresh], 'no_stream');
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
    await endStore();
    expect(await read()).toEqual(written);
  });
});
