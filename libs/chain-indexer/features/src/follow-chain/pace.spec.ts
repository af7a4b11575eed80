import { Pace, restAfter } from './pace.worker';

/** Longer than any test: what ends the rest is a hint or a caller that waits. */
const FOREVER_MS = 3_600_000;

describe('the pace of passes along a chain', () => {
  const paces: Pace[] = [];
  afterAll(() => paces.forEach((pace) => pace.stop()));
  const paced = () => {
    const clock = { ms: 0, now: () => clock.ms, wall: () => clock.ms };
    const pace = new Pace(FOREVER_MS, clock);
    paces.push(pace);
    const pass = (read_slot: number) => {
      const hinted = pace.begin();
      clock.ms += 1_000;
      let ended = false;
      const rest = pace.rest(read_slot).then(() => (ended = true));
      const over = async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return ended;
      };
      return { hinted, rest, over };
    };
    return { pace, pass };
  };

  it('rests until the chain tells of a slot that was not read', async () => {
    const { pace, pass } = paced();
    const first = pass(10);
    pace.hint(10);
    expect(await first.over()).toBe(false);
    pace.hint(11);
    await first.rest;
    expect(pass(11).hinted).toBe(11);
  });

  it('does not rest when the chain told of one during the pass', async () => {
    const { pace, pass } = paced();
    pace.begin();
    pace.hint(12);
    await pace.rest(11);
    expect(pass(12).hinted).toBe(12);
  });

  it('begins one pass for each hint, whatever slot it names', async () => {
    const { pace, pass } = paced();
    pace.hint(1_000_000);
    expect(pass(11).hinted).toBe(1_000_000);
    const next = pass(11);
    expect([next.hinted, await next.over()]).toEqual([0, false]);
  });

  it('begins a pass at once for a caller that waits, before the rest or during it', async () => {
    const { pace, pass } = paced();
    const resting = pass(11);
    pace.wake();
    await resting.rest;
    pace.begin();
    pace.wake();
    await pace.rest(11);
  });

  it('keeps hints so far apart, and no caller that waits', async () => {
    const { pace } = paced();
    const restOf = async (ask: () => void) => {
      let ended = false;
      pace.begin();
      ask();
      const rest = pace.rest(11).then(() => (ended = true));
      await new Promise((resolve) => setImmediate(resolve));
      return { ended, rest };
    };
    const hinted = await restOf(() => pace.hint(12));
    expect(hinted.ended).toBe(false);
    await hinted.rest;
    expect((await restOf(() => pace.wake())).ended).toBe(true);
  });

  it('ends when the worker stops, at rest and between hints', async () => {
    const { pace, pass } = paced();
    const resting = pass(11);
    expect(await resting.over()).toBe(false);
    pace.stop();
    await resting.rest;

    let ended = false;
    pace.begin();
    pace.hint(12);
    const between = pace.rest(11).then(() => (ended = true));
    pace.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(true);
    await between;
  });
});

describe('the rest until a pass that nothing asks for', () => {
  it('is a poll where the chain tells of no slots, or has stopped to', () => {
    expect(restAfter(Number.POSITIVE_INFINITY, 50)).toBe(50);
    expect(restAfter(10_000, 50)).toBe(50);
  });

  it('is longer than it takes to hear of the next slot of a chain at rest while it tells of them', () => {
    expect(restAfter(0, 50)).toBe(2_500);
    expect(restAfter(9_999, 50)).toBe(2_500);
    expect(restAfter(9_999, 600)).toBe(3_000);
  });
});
