import { Pace } from './pace.worker';

/** Longer than any test: what ends it was a hint or a waiter. */
const FOREVER_MS = 3_600_000;

describe('the pace of looks at a chain', () => {
  const stop = new AbortController();
  afterAll(() => stop.abort());
  const paced = () => {
    const clock = { ms: 0, now: () => clock.ms, wall: () => clock.ms };
    const pace = new Pace(FOREVER_MS, clock);
    const look = (read_slot: number) => {
      const hinted = pace.begin();
      clock.ms += 1_000;
      let ended = false;
      const rest = pace.rest(read_slot, stop.signal).then(() => (ended = true));
      const over = async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return ended;
      };
      return { hinted, rest, over };
    };
    return { pace, look };
  };

  it('rests until a slot is told of that was not read', async () => {
    const { pace, look } = paced();
    const first = look(10);
    pace.hint(10);
    expect(await first.over()).toBe(false);
    pace.hint(11);
    await first.rest;
    expect(look(11).hinted).toBe(11);
  });

  it('does not rest when one was told of while it looked', async () => {
    const { pace, look } = paced();
    pace.begin();
    pace.hint(12);
    await pace.rest(11, stop.signal);
    expect(look(12).hinted).toBe(12);
  });

  it('looks once for each hint, whatever it said', async () => {
    const { pace, look } = paced();
    pace.hint(1_000_000);
    expect(look(11).hinted).toBe(1_000_000);
    const next = look(11);
    expect([next.hinted, await next.over()]).toEqual([0, false]);
  });

  it('looks at once for those who wait, before the rest or during it', async () => {
    const { pace, look } = paced();
    const resting = look(11);
    pace.wake();
    await resting.rest;
    pace.begin();
    pace.wake();
    await pace.rest(11, stop.signal);
  });

  it('ends when it is told to stop', async () => {
    const { pace } = paced();
    const stopping = new AbortController();
    pace.begin();
    const rest = pace.rest(11, stopping.signal);
    stopping.abort();
    await rest;
  });
});
