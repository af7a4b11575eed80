import { memoryBus, memoryEventStore, seededRandom, silentLog } from '@tender/adapter-memory';
import { noTelemetry, type Worker } from '@tender/eventing';
import { BusTransport } from './bus-transport';
import { Work, type LeaderFollower } from './work';

const diary: string[] = [];
const stores: { close(): Promise<void> }[] = [];
beforeEach(() => void diary.splice(0));
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

const noted = (name: string, starts = () => Promise.resolve()) => ({
  name,
  async start() {
    diary.push(`${name} starts`);
    await starts();
  },
  stop: () => Promise.resolve(void diary.push(`${name} stops`)),
  idle: () => Promise.resolve(),
});

interface Parts {
  readonly relay: LeaderFollower;
  readonly worker: Worker;
}

function workOf({ relay, worker }: Parts): Work {
  const eventStore = memoryEventStore();
  const clock = { now: () => 0, wall: () => 0 };
  const bus = memoryBus({ eventStore, contexts: [], clock });
  stores.push(bus, eventStore);
  const ports = { clock, random: seededRandom(), log: silentLog };
  const runtime = {
    ...{ eventStore, readModels: {} as never, chains: {} as never, telemetry: noTelemetry },
    ...ports,
  };
  const beginTerm = () => {
    diary.push('a term begins');
    return { workers: [worker], hearing: {}, end: () => void diary.push('it ends') };
  };
  const opened = { providers: [], beginTerm };
  const transport = new BusTransport(bus);
  return new Work({ runtime, contexts: [], opened, transport, relay });
}

test('each term is made anew, and ends after its parts', async () => {
  const work = workOf({ relay: noted('relay'), worker: noted('worker') });
  expect(work.stage.workers()).toEqual([]);
  for (let term = 0; term < 2; term += 1) {
    const led = await work.start();
    expect(work.stage.workers()).toHaveLength(3);
    await led.stop();
    expect(work.stage.workers()).toEqual([]);
    const begun = ['a term begins', 'relay starts', 'worker starts'];
    expect(diary.splice(0)).toEqual([...begun, 'worker stops', 'relay stops', 'it ends']);
  }
});

test('a term that is over before it has begun starts nothing more, and ends what it has started', async () => {
  const term = new AbortController();
  const relay = noted('relay', () => Promise.resolve(term.abort()));
  const work = workOf({ relay, worker: noted('worker') });
  await expect(work.start(term.signal)).rejects.toThrow('aborted');
  expect(diary).toEqual(['a term begins', 'relay starts', 'worker stops', 'relay stops', 'it ends']);
});

test('a part that does not start, or does not stop well, keeps no other from ending', async () => {
  const fails = () => Promise.reject(new Error('it is in the way'));
  const unstarted = workOf({ relay: noted('relay'), worker: noted('worker', fails) });
  await expect(unstarted.start()).rejects.toThrow('it is in the way');
  expect(diary.splice(0).slice(3)).toEqual(['worker stops', 'relay stops', 'it ends']);

  const relay = { ...noted('relay'), stop: fails };
  const led = await workOf({ relay, worker: noted('worker') }).start();
  await expect(led.stop()).rejects.toThrow('the work of a term did not end well');
  expect(diary.slice(-2)).toEqual(['worker stops', 'it ends']);
});
