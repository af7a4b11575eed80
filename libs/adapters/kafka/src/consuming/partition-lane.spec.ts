import type { ConsumerRecords, ParkingConsumer, Position } from '@tender/eventing';
import type { LaneRecord } from './lane-records';
import type { LaneStart } from './lane-start';
import { PartitionLane } from './partition-lane';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await turn();
};
const recordAt = (offset: bigint, position: Position): LaneRecord => ({
  ...{ offset, position, landmark: null, located: null, progress_ms: 1 },
});

const COMMIT_MS = 1_000;

/** A lane whose checkpoint in the database is 5, whatever it saves. */
function laneOf(start: (turn: number) => Promise<LaneStart>) {
  const state = { starts: 0, fails: false, wall_ms: 0, looks: 0 };
  const commits: string[] = [];
  const timers = new Map<() => void, number>();
  const parking = {
    open: () => Promise.resolve(null),
    close: () => Promise.resolve(),
    verify: () => Promise.resolve(void (state.looks += 1)),
    handle: () => (state.fails ? Promise.reject(new Error('set back')) : Promise.resolve()),
  };
  const lane = new PartitionLane({
    ...{ name: 'readers.count-notes:test:notes/0', before: Promise.resolve() },
    parking: parking as unknown as ParkingConsumer,
    records: {
      release: () => undefined,
      noteProgress: () => undefined,
      checkpoint: () => Promise.resolve('5'),
    } as unknown as ConsumerRecords,
    eventStore: {
      isBefore: (position, other) => Number(position) < Number(other),
      load: () => Promise.resolve([]),
    },
    clock: { wall: () => state.wall_ms },
    delays: {
      after(delay_ms, work) {
        timers.set(work, delay_ms);
        return () => timers.delete(work);
      },
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    start: () => start((state.starts += 1)),
    confirmed: () => Promise.resolve(),
    commit: (offset, checkpoint) => Promise.resolve(void commits.push(`${offset} at ${checkpoint}`)),
    ...{ startAnew: () => undefined, seek: () => undefined, pause: () => undefined },
    ...{ resume: () => undefined, onTakeOver: () => undefined, onProgress: () => undefined },
  });
  const ring = (up_to_ms: number) => {
    for (const [work, delay_ms] of [...timers]) {
      if (delay_ms <= up_to_ms && timers.delete(work)) work();
    }
  };
  return { lane, state, commits, ring };
}

it('a lane that goes back tells Kafka of no offset before it knows where to begin', async () => {
  const begin: LaneStart = { committed: 0n, checkpoint: '5', oldest: 0n, end: 0n };
  const { lane, state, commits, ring } = laneOf((starts) =>
    starts === 1 ? Promise.resolve(begin) : new Promise(() => undefined),
  );
  await until(() => lane.next_offset === 0n);
  state.wall_ms = 6_000;
  lane.push([recordAt(0n, '9')]);
  await until(() => lane.next_offset === 1n);
  ring(COMMIT_MS);
  expect(commits).toEqual(['1 at 9']);
  lane.push([recordAt(1n, '12')]);
  await until(() => lane.next_offset === 2n);
  Object.assign(state, { fails: true, wall_ms: 12_000 });
  lane.push([recordAt(2n, '12')]);
  while (state.starts < 2) {
    await turn();
    ring(COMMIT_MS - 1);
  }
  ring(COMMIT_MS);
  await lane.close({ leaving: true });
  expect(commits).toEqual(['1 at 9']);
});

it('a lane without records looks every five seconds whether its database was set back', async () => {
  const { lane, state, ring } = laneOf(() =>
    Promise.resolve({ committed: 0n, checkpoint: '5', oldest: 0n, end: 0n }),
  );
  await until(() => lane.next_offset === 0n);
  for (let looks = 1; looks < 4; looks += 1) {
    state.wall_ms += 5_000;
    await turn();
    ring(5_000);
    await until(() => state.looks === looks);
  }
  await lane.close();
});
