import { systemClock } from './system-clock';
import { systemRandom } from './system-random';

describe('the clock of the system', () => {
  it('keeps business time ahead of the machine by the offset', () => {
    const clock = systemClock({ offset_ms: 3_600_000 });
    const before = clock.wall();
    const moved_back = clock.now() - 3_600_000;
    expect(moved_back).toBeGreaterThanOrEqual(before);
    expect(moved_back).toBeLessThanOrEqual(clock.wall());
  });

  it('never goes back', () => {
    const clock = systemClock();
    clock.setOffset(5_000);
    clock.setOffset(4_000);
    expect(clock.offset()).toBe(5_000);
  });

  it('calls a listener for each new offset until it unsubscribes, and for nothing else', () => {
    const clock = systemClock();
    const heard: number[] = [];
    const leave = clock.onChange((offset_ms) => heard.push(offset_ms));
    clock.setOffset(10);
    clock.setOffset(10);
    leave();
    clock.setOffset(20);
    expect(heard).toEqual([10]);
  });
});

describe('the randomness of the system', () => {
  it('gives bytes, identifiers and fractions that differ', () => {
    const random = systemRandom();
    expect(random.bytes(16)).toHaveLength(16);
    expect(random.uuid()).not.toBe(random.uuid());
    const fractions = Array.from({ length: 100 }, () => random.fraction());
    expect(fractions.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(new Set(fractions).size).toBe(100);
  });

  it('gives no byte twice, and each length whole', () => {
    const random = systemRandom();
    const lengths = [16, 12, 4_000, 90, 32, 10_000, 16];
    const drawn = lengths.map((length) => random.bytes(length));
    expect(drawn.map(({ length }) => length)).toEqual(lengths);
    const text = Buffer.concat(drawn);
    const eights = Array.from({ length: text.length / 8 }, (_, n) => text.readBigUInt64LE(n * 8));
    expect(new Set(eights).size).toBe(eights.length);
  });
});
