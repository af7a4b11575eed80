import fc from 'fast-check';
import { MemoryTables } from '../testing/memory-tables';
import { Limiter, type Verdict } from './limiter';
import { storedLimitBlocks } from './limit-block.record';
import { SlidingWindow } from './sliding-window';

const HOUR_MS = 3_600_000;
const clockAt = (ms: number) => {
  const clock = { ms, wall: () => clock.ms };
  return clock;
};

/** The largest number of admissions in any span of an hour, wherever it begins. */
function busiestHour(times: readonly number[]): number {
  const within = (from: number) => times.filter((at) => at >= from && at < from + HOUR_MS).length;
  return Math.max(0, ...times.map(within));
}

describe('a sliding hour', () => {
  it('counts what no span of an hour may forget', () => {
    const window = new SlidingWindow();
    window.add(999);
    expect(window.count(3_600_998)).toBe(1);
    expect(window.count(3_601_000)).toBe(0);
    expect(window.freesAt()).toBeNull();
  });

  it('forgets what was taken back, and nothing else', () => {
    const window = new SlidingWindow();
    for (const at of [1000, 2000, 2000, 9000]) window.add(at);
    window.remove(2000);
    window.remove(1000);
    expect([window.count(9000), window.freesAt()]).toEqual([2, 3603]);
    window.remove(10_000);
    expect(window.count(9000)).toBe(2);
    window.add(5000);
    window.remove(5000);
    expect(window.count(9000)).toBe(2);
  });

  it('does not let a request in twice when the clock steps back', () => {
    const window = new SlidingWindow();
    window.add(HOUR_MS);
    window.add(0);
    expect(window.count(0)).toBe(2);
    expect(window.count(2 * HOUR_MS)).toBe(2);
    expect(window.count(2 * HOUR_MS + 1000)).toBe(0);
  });
});

describe('the limiter (E1, S11)', () => {
  const limiterOn = (tables: MemoryTables, clock: { wall(): number }, gateway: string) =>
    new Limiter({ clock, gateway, refuses: true, blocks: storedLimitBlocks(tables) });

  it('admits exactly the limit of 1,000 at once', async () => {
    const clock = clockAt(1_000_000);
    const limiter = limiterOn(new MemoryTables(clock), clock, 'a');
    const verdicts = await Promise.all(Array.from({ length: 1000 }, () => limiter.admit('m', 50)));
    expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(50);
    const [refused] = verdicts.filter(({ admitted }) => !admitted);
    const left = { limit: 50, remaining: 0, reset: 4601, retry_after: 3601, at_ms: 1_000_000 };
    expect(refused).toEqual({ admitted: false, ...left });
  });

  it('counts down, and says when the first comes back', async () => {
    const clock = clockAt(1_000_000);
    const limiter = limiterOn(new MemoryTables(clock), clock, 'a');
    expect(limiter.look('m', 50)).toMatchObject({ remaining: 50, reset: 4600 });
    expect(await limiter.admit('m', 50)).toMatchObject({ remaining: 49, reset: 4601 });
    clock.ms += 10_000;
    expect(await limiter.admit('m', 50)).toMatchObject({ remaining: 48, reset: 4601 });
    clock.ms = 4_601_000;
    expect(await limiter.admit('m', 50)).toMatchObject({ remaining: 48, reset: 4611 });
  });

  it('buys in blocks: a fifth of the limit with one update', async () => {
    const clock = clockAt(1_000_000);
    const tables = new MemoryTables(clock);
    const limiter = limiterOn(tables, clock, 'a');
    for (let at = 0; at < 50; at += 1) await limiter.admit('m', 50);
    expect(tables.statements).toHaveLength(5);
    for (let at = 0; at < 50; at += 1) await limiter.admit('m', 50);
    expect(tables.statements.length).toBeLessThanOrEqual(6);
  });

  it('what a killed gateway had not used counts as used, for an hour after it could have been', async () => {
    const clock = clockAt(1_000_000);
    const tables = new MemoryTables(clock);
    await limiterOn(tables, clock, 'killed').admit('m', 50);
    const restarted = limiterOn(tables, clock, 'restarted');
    const admitted = async () => {
      let count = 0;
      while ((await restarted.admit('m', 50)).admitted) count += 1;
      return count;
    };
    expect(await admitted()).toBe(40);
    clock.ms += HOUR_MS + 10 * 60_000;
    expect(await admitted()).toBe(50);
  });

  it('a gateway that is away for long takes no more than before', async () => {
    const clock = clockAt(1_000_000);
    const tables = new MemoryTables(clock);
    const sleepy = limiterOn(tables, clock, 'sleepy');
    await sleepy.admit('m', 50);
    clock.ms += 2 * HOUR_MS;
    const other = limiterOn(tables, clock, 'other');
    for (let at = 0; at < 50; at += 1) expect((await other.admit('m', 50)).admitted).toBe(true);
    expect((await sleepy.admit('m', 50)).admitted).toBe(false);
  });

  it('admits no more than the limit in any hour, whichever gateways are killed and however many share', async () => {
    const step = fc.record({
      gateway: fc.integer({ min: 0, max: 1 }),
      burst: fc.integer({ min: 1, max: 30 }),
      wait_ms: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 4_320_000 })),
      is_killed: fc.boolean(),
    });
    const story = fc.array(step, { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(story, fc.integer({ min: 1, max: 60 }), async (steps, limit) => {
        const clock = clockAt(1_000_000);
        const tables = new MemoryTables(clock);
        let born = 0;
        const gateways = [0, 1].map(() => limiterOn(tables, clock, `g${(born += 1)}`));
        const times: number[] = [];
        for (const { gateway, burst, wait_ms, is_killed } of steps) {
          clock.ms += wait_ms;
          if (is_killed) gateways[gateway] = limiterOn(tables, clock, `g${(born += 1)}`);
          const limiter = gateways[gateway] as Limiter;
          const verdicts: Verdict[] = await Promise.all(
            Array.from({ length: burst }, () => limiter.admit('m', limit)),
          );
          for (const { admitted } of verdicts) if (admitted) times.push(clock.ms);
        }
        expect(busiestHour(times)).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 200 },
    );
  });

  it('a single gateway that is never killed gives each key the whole limit', async () => {
    const clock = clockAt(1_000_000);
    const limiter = limiterOn(new MemoryTables(clock), clock, 'a');
    for (let hour = 0; hour < 5; hour += 1) {
      for (let at = 0; at < 50; at += 1) expect((await limiter.admit('m', 50)).admitted).toBe(true);
      expect((await limiter.admit('m', 50)).admitted).toBe(false);
      clock.ms += HOUR_MS + 1000;
    }
  });
});
