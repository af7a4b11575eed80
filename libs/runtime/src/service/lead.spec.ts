import { noTelemetry, type Lease, type Leases, type Led } from '@tender/eventing';
import { silentLog } from '@tender/adapter-memory';
import { leadService } from './lead';

/** A lease that is given, lost and lost for good by hand, and time that passes by hand. */
function bench(start: () => Promise<Led>) {
  const standing = { leads: false, takenOver: (): void => undefined };
  const timers = new Set<() => void>();
  const delays = {
    after(_: number, work: () => void) {
      timers.add(work);
      return () => void timers.delete(work);
    },
  };
  let begin: (over: AbortSignal) => Promise<Led> = () => Promise.reject(new Error('not asked for'));
  let renounced = 0;
  const lease: Lease = {
    leads: () => standing.leads,
    whenLeading: () => Promise.resolve(),
    renounce: () => void (renounced += 1),
    stop: () => Promise.resolve(),
  };
  const leases: Leases = {
    lead(_, work) {
      begin = work;
      return lease;
    },
  };
  let stuck = 0;
  const ports = { leases, standing, delays, telemetry: noTelemetry, log: silentLog };
  const leading = leadService('payments', ports, { start }, () => void (stuck += 1));
  leading.start();
  return {
    leading,
    standing,
    begin: (over: AbortSignal) => begin(over),
    /** So long that whatever was to come has come. */
    wait() {
      for (const work of [...timers]) work();
      timers.clear();
    },
    told: () => ({ stuck, renounced }),
  };
}

const stops = { stop: () => Promise.resolve() };

test('a replica that loses the lease stands by at once, and its process goes on where the work stops', async () => {
  const { begin, standing, wait, told } = bench(() => Promise.resolve(stops));
  const term = new AbortController();
  const led = await begin(term.signal);
  expect(standing.leads).toBe(true);
  term.abort();
  expect(standing.leads).toBe(false);
  await led.stop();
  wait();
  expect(told().stuck).toBe(0);
});

test('work that does not stop ends its process', async () => {
  const never = { stop: () => new Promise<void>(() => undefined) };
  const { begin, wait, told } = bench(() => Promise.resolve(never));
  const term = new AbortController();
  const led = await begin(term.signal);
  term.abort();
  void led.stop();
  wait();
  expect(told().stuck).toBe(1);
});

test('a term that could not begin leaves nothing behind: the next one is not ended for it', async () => {
  const { begin, wait, told } = bench(() => Promise.reject(new Error('too many connections')));
  const term = new AbortController();
  await expect(begin(term.signal)).rejects.toThrow('too many connections');
  term.abort();
  wait();
  expect(told().stuck).toBe(0);
});

test('a term that is over before it has begun never leads, and hangs no longer than another', async () => {
  let started = (_: Led): void => undefined;
  const starting = () => new Promise<Led>((resolve) => (started = resolve));
  const { begin, standing, wait, told } = bench(starting);
  const term = new AbortController();
  const beginning = begin(term.signal);
  term.abort();
  wait();
  expect(told().stuck).toBe(1);
  started(stops);
  await (await beginning).stop();
  expect(standing.leads).toBe(false);
});

test('a leader gives the lease up when its checkpoint was taken; a replica that stands by has none to give', async () => {
  const { begin, standing, told } = bench(() => Promise.resolve(stops));
  standing.takenOver();
  expect(told().renounced).toBe(0);
  const term = new AbortController();
  await begin(term.signal);
  standing.takenOver();
  expect(told().renounced).toBe(1);
  term.abort();
  standing.takenOver();
  expect(told().renounced).toBe(1);
});

test('a leader that is stopped in order has the time that its process has', async () => {
  const { begin, leading, wait, told } = bench(() => Promise.resolve(stops));
  const term = new AbortController();
  await begin(term.signal);
  await leading.stop();
  term.abort();
  wait();
  expect(told().stuck).toBe(0);
});
