import { seededRandom } from '@tender/adapter-memory';
import { Unavailable, type Stage } from '@tender/eventing';
import { remoteStage, ROUNDS_OF_SERVICES_MAX, type StageAnswer } from './remote-stage';

const SERVICES = ['payments', 'billing', 'indexer'];
const own: Stage = {
  nextDue: async () => null,
  idle: async () => undefined,
  offset: () => 0,
  setOffset: async () => undefined,
};

let wall_ms: number;
let events: Record<string, number>;
let asked: string[];
/** What a service does when it is asked to come to rest. */
let when: (service: string) => void;
beforeEach(() => {
  [wall_ms, asked, when] = [0, [], () => undefined];
  events = Object.fromEntries(SERVICES.map((service) => [service, 0]));
});

const stage = () => {
  const askEach = async (service: string): Promise<StageAnswer[]> => {
    wall_ms += 1_000;
    asked.push(service);
    when(service);
    return [
      { leads: false, newest: null },
      { leads: true, newest: String(events[service]) },
    ];
  };
  const clock = { wall: () => wall_ms };
  const eventStore = { newest: async () => null };
  const calls = { askEach } as never;
  return remoteStage(own, SERVICES, { calls, random: seededRandom(), clock, eventStore });
};
const rounds = () => asked.length / SERVICES.length;
const append = (service: string) => void (events[service] = (events[service] ?? 0) + 1);

test('at rest once the logs of all have stood still for two rounds', async () => {
  await stage().idle();
  expect(rounds()).toBe(3);
});

test('a chain through many services is followed to its end: each is asked before the one that it hears', async () => {
  const chain = ['indexer', 'billing', 'payments', 'indexer', 'billing', 'payments', 'indexer'];
  const left = [...chain];
  let heard_in = 0;
  when = (service) => {
    const round = Math.ceil(rounds());
    if (service !== left[0] || heard_in === round) return;
    heard_in = round;
    left.shift();
    append(service);
  };
  await stage().idle();
  expect([left, rounds()]).toEqual([[], chain.length + 2]);
});

test('what a call makes a service append that was asked before is heard, too', async () => {
  let called = false;
  const heard: number[] = [];
  when = (service) => {
    if (service === 'indexer' && rounds() === 2) {
      called = true;
      append('payments');
    }
    if (service === 'billing' && called) heard.push(Math.ceil(rounds()));
  };
  await stage().idle();
  expect(heard).toEqual([3, 4, 5]);
});

test('services that take too long are said to be unavailable', async () => {
  when = (service) => {
    append(service);
    wall_ms += 30_000;
  };
  await expect(stage().idle()).rejects.toThrow(Unavailable);
  expect(rounds()).toBe(2);
});

test('clients that write without a pause do not hold up the clock', async () => {
  when = append;
  await stage().idle();
  expect(rounds()).toBe(ROUNDS_OF_SERVICES_MAX);
});
