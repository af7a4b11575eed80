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

/** A lane whose checkpoint in the database is 5, whatever it saves. */
function laneOf(start: (turn: number) => Promise<LaneStart>) {
  const state = { starts: 0, fails: false, wall_ms: 0, looks: 0 };
  const told: string[] = [];
  const wants: (bigint | null)[] = [];
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
    reach: ({ offset, checkpoint }) => void told.push(`${offset} at ${checkpoint}`),
    forget: () => void told.push('nothing'),
    onWanted: () => void wants.push(lane.wanted),
    ...{ types: new Set<string>(), startAnew: () => undefined },
    ...{ onTakeOver: () => undefined, onProgress: () => undefined },
  });
  const ring = (up_to_ms: number) => {
    for (const [work, delay_ms] of [...timers]) {
      if (delay_ms <= up_to_ms && timers.delete(work)) work();
    }
  };
  return { lane, state, told, wants, ring };
}

it('a lane that goes back has Kafka told of no offset, and takes nothing, before it knows where to begin', async () => {
  const begin: LaneStart = { committed: 0n, checkpoint: '5', oldest: 0n, end: 0n };
  const { lane, state, told, wants, ring } = laneOf((starts) =>
    starts === 1 ? Promise.resolve(begin) : new Promise(() => undefined),
  );
  await until(() => lane.next_offset === 0n);
  expect([lane.wanted, wants]).toEqual([0n, [0n]]);
  state.wall_ms = 6_000;
  lane.push([recordAt(0n, '9')]);
  expect(lane.wanted).toBe(1n);
  await until(() => lane.next_offset === 1n);
  lane.push([recordAt(1n, '12')]);
  await until(() => lane.next_offset === 2n);
  Object.assign(state, { fails: true, wall_ms: 12_000 });
  lane.push([recordAt(2n, '12')]);
  while (state.starts < 2) {
    await turn();
    ring(2_000);
  }
  expect([lane.wanted, lane.next_offset]).toEqual([null, null]);
  await lane.close();
  expect(told).toEqual(['1 at 9', '2 at 9', 'nothing']);
});

it('a lane with much to do takes no more until most of it is done, and says so', async () => {
  const { lane, wants } = laneOf(() =>
    Promise.resolve({ committed: null, checkpoint: null, oldest: 0n, end: 0n }),
  );
  await until(() => lane.next_offset === 0n);
  lane.push(Array.from({ length: 2_001 }, (_, n) => recordAt(BigInt(n), '6')));
  expect(lane.wanted).toBeNull();
  await until(() => lane.next_offset === 2_001n);
  expect([lane.wanted, wants]).toEqual([2_001n, [0n, 2_001n]]);
  await lane.close();
  expect(lane.wanted).toBeNull();
});

it('a lane that was set back tells of no offset that is another record’s by then', async () => {
  const { lane, state, told } = laneOf(() =>
    Promise.resolve({ committed: 0n, checkpoint: '5', oldest: 0n, end: 0n }),
  );
  await until(() => lane.next_offset === 0n);
  state.wall_ms = 6_000;
  lane.push([recordAt(0n, '6'), recordAt(1n, '7')]);
  lane.takeAgain(1n, 2n);
  expect(lane.wanted).toBe(2n);
  lane.takeAgain(1n, 1n);
  expect(lane.wanted).toBe(1n);
  await turn();
  await turn();
  state.wall_ms = 12_000;
  lane.push([recordAt(1n, '8')]);
  await until(() => lane.next_offset === 2n);
  await lane.close();
  expect(told).toEqual(['2 at 8']);
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
