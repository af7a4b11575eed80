import { RecentKeys } from './recent-keys';

describe('recent keys', () => {
  const keys = (complete_since: number, prints_max?: number) => {
    const recent = new RecentKeys(complete_since, prints_max);
    const read = (slot: number, wall_ms: number, ...names: string[]) => {
      const block = recent.record(slot, wall_ms);
      for (const name of names) block.add(name);
      block.end();
    };
    const naming = (key: string, recorded_ms: number, heard_ms = recorded_ms) =>
      recent.slotsNaming(key, recorded_ms, heard_ms);
    return { recent, read, naming };
  };

  it('tells in which blocks read since a payment was recorded it may be named', () => {
    const { naming, read } = keys(0);
    read(7, 100_000, 'referenceA', 'referenceB');
    read(9, 100_400, 'referenceA');
    expect(naming('referenceA', 100_000)).toEqual([7, 9]);
    expect(naming('referenceB', 105_000)).toEqual([7]);
    expect(naming('referenceC', 100_000)).toEqual([]);
  });

  it('counts the block that is being read', () => {
    const { recent, naming } = keys(0);
    recent.record(7, 100_000).add('referenceA');
    expect(naming('referenceA', 100_000)).toEqual([7]);
  });

  it('cannot tell of the time before it began, or of what it forgot', () => {
    expect(keys(95_000).naming('x', 100_000)).toBeNull();
    const { naming, read } = keys(0);
    read(7, 100_000, 'referenceA');
    read(8, 170_000, 'referenceB');
    expect(naming('x', 105_000)).toBeNull();
    expect(naming('x', 115_000)).toEqual([]);
  });

  it('forgets the oldest blocks beyond its bound; empty blocks and repeated keys cost nothing', () => {
    const { naming, read } = keys(0, 2);
    read(7, 100_000, 'referenceA', 'referenceA', 'referenceA');
    read(8, 101_000);
    read(9, 102_000, 'referenceB');
    expect(naming('referenceA', 110_000)).toEqual([7]);
    read(10, 103_000, 'referenceC');
    expect(naming('referenceA', 110_000)).toBeNull();
    expect(naming('referenceB', 112_000)).toEqual([9]);
  });

  it('knows of payments recorded since the very first start', () => {
    const { recent, naming, read } = keys(Number.POSITIVE_INFINITY);
    recent.begin(100_000);
    read(7, 100_000, 'referenceA');
    expect(naming('referenceA', 100_000)).toEqual([7]);
    expect(naming('referenceB', 100_000)).toEqual([]);
    expect(naming('referenceB', 99_999)).toBeNull();
  });

  it('believes no clock that is more than 10 s ahead of its own', () => {
    const { naming, read } = keys(0);
    read(7, 100_000, 'referenceA');
    expect(naming('referenceB', 110_001, 100_000)).toBeNull();
    expect(naming('referenceB', 110_000, 100_000)).toEqual([]);
  });

  it('finds the block that was read long before the time at which a clock ahead has it recorded', () => {
    const { naming, read } = keys(0);
    read(7, 100_000, 'referenceA');
    // Recorded at 99,000 by a clock that is 45 s ahead, heard 40 s late.
    expect(naming('referenceA', 144_000, 139_000)).toEqual([7]);
  });

  it('knows nothing until it begins', () => {
    expect(new RecentKeys().slotsNaming('x', 1e15, 1e15)).toBeNull();
  });
});
