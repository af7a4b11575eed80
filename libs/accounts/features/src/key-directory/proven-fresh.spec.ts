import fc from 'fast-check';
import { FRESH_MS, ProvenFresh } from './proven-fresh';

/** A machine's time and timers, moved by hand; timers may be early, as real ones are. */
class HandTime {
  now_ms = 0;
  private timers: { at_ms: number; work: () => void }[] = [];
  readonly delays = {
    after: (delay_ms: number, work: () => void) => {
      this.timers.push({ at_ms: this.now_ms + delay_ms - 1, work });
      return () => undefined;
    },
  };

  async move(by_ms: number): Promise<void> {
    this.now_ms += by_ms;
    const due = this.timers.filter(({ at_ms }) => at_ms <= this.now_ms);
    this.timers = this.timers.filter(({ at_ms }) => at_ms > this.now_ms);
    for (const { work } of due) work();
    await settled();
  }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

/** A gateway whose follower can stand still: what it knows is how many events of the log it has heard. */
class HandGateway {
  heard = 0;
  private stalled = false;
  private waiting: (() => void)[] = [];
  readonly fresh: ProvenFresh;

  constructor(time: HandTime, log: readonly unknown[]) {
    const { delays } = time;
    const several = { alone: false, delays, elapsed_ms: () => time.now_ms } as const;
    this.fresh = new ProvenFresh(several, async () => {
      const asked = log.length;
      if (this.stalled) await new Promise<void>((resolve) => this.waiting.push(resolve));
      this.heard = Math.max(this.heard, asked);
    });
  }

  stall(): void {
    this.stalled = true;
  }

  async resume(): Promise<void> {
    this.stalled = false;
    for (const go_on of this.waiting.splice(0)) go_on();
    await settled();
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('move' as const), by_ms: fc.integer({ min: 0, max: FRESH_MS }) }),
  fc.record({ kind: fc.constantFrom('stall', 'resume', 'ask'), gateway: fc.nat({ max: 1 }) }),
  fc.record({ kind: fc.constant('rotate' as const) }),
);

test('once a rotation is answered, no gateway uses what it knew before, even one that stood still', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const time = new HandTime();
      const log: object[] = [];
      let answered = 0;
      const gateways = [new HandGateway(time, log), new HandGateway(time, log)];
      for (const taken of steps) {
        if (taken.kind === 'move') await time.move(taken.by_ms);
        else if (taken.kind === 'rotate') {
          const mine = log.push({});
          void gateways[0]?.fresh.outwaited().then(() => (answered = Math.max(answered, mine)));
        } else if (taken.kind === 'stall') gateways[taken.gateway]?.stall();
        else if (taken.kind === 'resume') await gateways[taken.gateway]?.resume();
        for (const { fresh, heard } of gateways) {
          if (fresh.holds()) expect(heard).toBeGreaterThanOrEqual(answered);
        }
        await settled();
      }
    }),
    { numRuns: 500 },
  );
});

test('a gateway in use stays fresh and asks a few times a second; one that stands still does not', async () => {
  const time = new HandTime();
  const gateway = new HandGateway(time, []);
  expect(gateway.fresh.holds()).toBe(false);
  await settled();
  for (let request = 0; request < 100; request += 1) {
    expect(gateway.fresh.holds()).toBe(true);
    await time.move(50);
  }
  gateway.stall();
  await time.move(FRESH_MS / 4);
  gateway.fresh.holds();
  await time.move(FRESH_MS);
  expect(gateway.fresh.holds()).toBe(false);
  // The proof that was asked for long ago says nothing of now.
  await gateway.resume();
  expect(gateway.fresh.holds()).toBe(false);
  await settled();
  expect(gateway.fresh.holds()).toBe(true);
});

test('a gateway that is alone neither asks nor waits', async () => {
  const fresh = new ProvenFresh({ alone: true }, () => Promise.reject(new Error('asked')));
  expect(fresh.holds()).toBe(true);
  await fresh.outwaited();
});
