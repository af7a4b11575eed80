/** @needs kafka-process */
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable, type BatchHandler, type Log } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { silentLog } from '../../postgres/src/testing/quiet-ports';
import { appendNotes, countNotes, EFFECTS, effectsOf, exactly, READER, STREAMS } from './testing/effects';
import { rawTopic } from './testing/raw-topic';
import { Servers } from './testing/servers';
import { openService, serviceLog, type ServiceOptions } from './testing/service';

const servers = new Servers('jars');
beforeAll(() => servers.begin());
afterAll(() => servers.end());

type Service = Awaited<ReturnType<typeof openService>>;
let systems = 0;
let namespace = '';
let database = '';
let store: Awaited<ReturnType<typeof serviceLog>>;
let services: Service[] = [];

beforeEach(async () => {
  systems += 1;
  namespace = `f${process.pid}-${systems}.`;
  database = await servers.postgres.database();
  store = await serviceLog(database);
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  services = [];
  await store.close();
});

async function open(more: Partial<ServiceOptions> = {}): Promise<Service> {
  const { brokers } = servers.kafka;
  const service = await openService({ store, database, namespace, brokers, ...more });
  await service.readModels.query(EFFECTS);
  services.push(service);
  return service;
}

const topic = () => rawTopic(servers.kafka.brokers, `${namespace}test.notes.events`);
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(20);
};
const count = (effects: Record<string, number[]>): number => Object.values(effects).flat().length;

describe('a broker', () => {
  it('that is killed and started again loses nothing, and appends go on meanwhile', async () => {
    const service = await open();
    const consumer = await countNotes(service.bus);
    await appendNotes(store, STREAMS, 10);
    await until(async () => count(await effectsOf(service.readModels)) > 0);
    await servers.kafka.kill();
    await appendNotes(store, STREAMS, 10, 10);
    await servers.startBroker();
    await appendNotes(store, STREAMS, 10, 20);
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 30));
  });

  it('that says nothing for a while is waited for', async () => {
    const service = await open();
    const consumer = await countNotes(service.bus);
    await appendNotes(store, STREAMS, 5);
    await until(async () => count(await effectsOf(service.readModels)) > 0);
    process.kill(servers.kafka.pid as number, 'SIGSTOP');
    await appendNotes(store, STREAMS, 5, 5);
    await sleep(4_000);
    process.kill(servers.kafka.pid as number, 'SIGCONT');
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 10));
  });
});

describe('a service', () => {
  it('starts, appends and ends without a broker, and goes on when there is one', async () => {
    await servers.kafka.kill();
    const early = await open();
    await countNotes(early.bus);
    await appendNotes(store, STREAMS, 3);
    await early.close();
    services = [];
    const service = await open();
    const consumer = await countNotes(service.bus);
    await appendNotes(store, STREAMS, 3, 3);
    await servers.startBroker();
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 6));
  });

  it('ends while its broker says nothing', async () => {
    const service = await open();
    await countNotes(service.bus);
    await appendNotes(store, STREAMS, 3);
    process.kill(servers.kafka.pid as number, 'SIGSTOP');
    await appendNotes(store, STREAMS, 3, 3);
    await service.close();
    services = [];
    process.kill(servers.kafka.pid as number, 'SIGCONT');
    const next = await open();
    await (await countNotes(next.bus)).idle();
    expect(await effectsOf(next.readModels)).toEqual(exactly(STREAMS, 6));
  });
});

describe('a member', () => {
  it('that loses partitions in the middle of a batch is fenced: the next owner’s effect counts', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held = 0;
    const failed: unknown[] = [];
    const log: Log = { ...silentLog, warn: ({ err }: { err?: unknown }) => void failed.push(err) };
    const first = await open({ log });
    const hold: BatchHandler = () => {
      held += 1;
      return released;
    };
    const slow = await countNotes(first.bus, { reader: 'slow', meanwhile: hold });
    await appendNotes(store, STREAMS, 5);
    await until(() => held >= 3);
    const second = await open({ without_relay: true });
    const quick = await countNotes(second.bus, { reader: 'quick' });
    await until(async () => count(await effectsOf(second.readModels, 'quick')) > 0);
    release();
    await slow.idle();
    await quick.idle();
    expect(await effectsOf(second.readModels)).toEqual(exactly(STREAMS, 5));
    await until(() => failed.some((error) => /another process follows/.test(String(error))));
  });

  it('takes over from one that is gone, and shares with one that comes', async () => {
    const first = await open();
    await countNotes(first.bus, { reader: 'first' });
    await appendNotes(store, STREAMS, 5);
    await until(async () => count(await effectsOf(first.readModels)) > 0);
    const second = await open();
    const consumer = await countNotes(second.bus, { reader: 'second' });
    let appended = 5;
    // Until the second is in the group, all of it is the first one's.
    await until(async () => {
      await appendNotes(store, STREAMS, 1, appended);
      appended += 1;
      return count(await effectsOf(second.readModels, 'second')) > 0;
    });
    await first.close();
    services = services.filter((service) => service !== first);
    await appendNotes(store, STREAMS, 5, appended);
    await consumer.idle();
    expect(await effectsOf(second.readModels)).toEqual(exactly(STREAMS, appended + 5));
  });

  it('works off a backlog that is larger than what it holds in memory', async () => {
    const service = await open();
    const two = STREAMS.slice(0, 2);
    for (const stream of two) {
      for (let first = 0; first < 5_000; first += 500) {
        const events = Array.from({ length: 500 }, () => sampleEvent(stream, { padding: 'x' }));
        await store.append(stream, events, first === 0 ? 'no_stream' : first - 1);
      }
    }
    await service.relay.idle();
    const consumer = await countNotes(service.bus, { meanwhile: () => sleep(20) });
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(two, 5_000));
  });

  it('does not do again what it did before a crash between effect and offset', async () => {
    const service = await open();
    await (await consumed(service)).stop();
    const group = `${namespace}${READER}`;
    await topic().resetOffsets(group);
    expect(Math.max(...(await topic().offsetsOf(group)))).toBeLessThanOrEqual(0);
    const again = await countNotes(service.bus);
    await appendNotes(store, STREAMS, 1, 5);
    await again.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 6));
  });

  it('reads anew where the database is older than what Kafka was told', async () => {
    const service = await open();
    await (await consumed(service)).stop();
    expect(Math.max(...(await topic().offsetsOf(`${namespace}${READER}`)))).toBeGreaterThan(0);
    await service.readModels.query('truncate readers.effects, readers.checkpoints');
    const restored = await open({ without_relay: true });
    await (await countNotes(restored.bus)).idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 5));
  });

  it.each([
    ['while nothing else happens', 0],
    ['before the next message', 1],
  ])('does again what the database has lost under it, %s', async (_, more) => {
    const service = await open();
    const { readModels } = service;
    const consumer = await consumed(service);
    const tables = ['readers.effects', 'readers.checkpoints'];
    for (const table of tables) await readModels.query(`create table ${table}_was as table ${table}`);
    await appendNotes(store, STREAMS, 2, 5);
    await consumer.idle();
    expect(await effectsOf(readModels)).toEqual(exactly(STREAMS, 7));
    await readModels.transaction(async (tx) => {
      await tx.query('truncate readers.effects, readers.checkpoints');
      await tx.query(`insert into readers.effects overriding system value table readers.effects_was`);
      await tx.query(`insert into readers.checkpoints table readers.checkpoints_was`);
    });
    await appendNotes(store, STREAMS, more, 7);
    await until(async () => count(await effectsOf(readModels)) >= STREAMS.length * (7 + more));
    expect(await effectsOf(readModels)).toEqual(exactly(STREAMS, 7 + more));
  });

  async function consumed(service: Service) {
    const consumer = await countNotes(service.bus);
    await appendNotes(store, STREAMS, 5);
    await consumer.idle();
    return consumer;
  }
});

describe('records', () => {
  it('that come three times, and old ones again out of order, take effect once', async () => {
    const service = await open();
    await appendNotes(store, STREAMS, 5);
    await service.relay.idle();
    const written = (await topic().all()).filter(({ event }) => event?.type === 'notes.noted.v1');
    expect(written).toHaveLength(40);
    await topic().write([...written, ...[...written].reverse(), ...written]);
    const consumer = await countNotes(service.bus);
    await consumer.idle();
    await topic().write([...written].reverse());
    await appendNotes(store, STREAMS, 2, 5);
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 7));
  });

  it('that are in two partitions take effect once', async () => {
    const complaints: object[] = [];
    const log: Log = { ...silentLog, error: (fields) => void complaints.push(fields) };
    const service = await open({ log });
    await appendNotes(store, STREAMS, 3);
    await service.relay.idle();
    const written = (await topic().all()).filter(({ event }) => event?.type === 'notes.noted.v1');
    const copies = written.map((record) => ({ ...record, partition: (record.partition + 1) % 3 }));
    await topic().write(copies);
    const consumer = await countNotes(service.bus);
    await appendNotes(store, STREAMS, 1, 3);
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 4));
    expect(complaints).toHaveLength(24);
  });

  it('that nobody can read, or knows, stop no partition', async () => {
    const complaints: object[] = [];
    const log: Log = { ...silentLog, error: (fields) => void complaints.push(fields) };
    const service = await open({ log });
    await appendNotes(store, STREAMS, 2);
    await service.relay.idle();
    const [known] = (await topic().all()).filter(({ event }) => event?.type === 'notes.noted.v1');
    const unknown = String(known?.value).replace('notes.noted.v1', 'notes.sung.v1');
    for (const partition of [0, 1, 2]) {
      await topic().write([
        { key: null, value: Buffer.from([0xff, 0x00, 0x01]), partition },
        { key: null, value: null, partition },
        { key: known?.key ?? null, value: Buffer.from(unknown), partition },
      ]);
    }
    const consumer = await countNotes(service.bus);
    await appendNotes(store, STREAMS, 2, 2);
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 4));
    expect(complaints.length).toBeGreaterThanOrEqual(6);
  });
});

describe('a relay', () => {
  it('that ends between acknowledgement and checkpoint writes twice, and the effect is once', async () => {
    let crashed = false;
    const dying = await open({
      relayModels: (readModels) => ({
        ...readModels,
        saveCheckpoint(_tx, _schema, follower, position) {
          // Other progress than behind the first event says nothing of an acknowledgement.
          crashed ||= follower === 'relay.notes:test' && Number(position) > 0;
          return Promise.reject(new Unavailable('the process'));
        },
      }),
    });
    await appendNotes(store, STREAMS, 3);
    await until(() => crashed);
    await dying.close();
    services = [];
    const service = await open();
    const consumer = await countNotes(service.bus);
    await consumer.idle();
    const ids = (await topic().all()).filter(({ event }) => event?.type === 'notes.noted.v1');
    expect(ids.length).toBeGreaterThan(new Set(ids.map(({ event }) => event?.id)).size);
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 3));
  });

  it('that was replaced writes no more', async () => {
    let refusals = 0;
    const first = await open({
      relayModels: (readModels) => ({
        ...readModels,
        saveCheckpoint: (...asked) =>
          readModels.saveCheckpoint(...asked).catch((error: unknown) => {
            refusals += 1;
            throw error;
          }),
      }),
    });
    await appendNotes(store, STREAMS, 2);
    await first.relay.idle();
    const second = await open();
    await appendNotes(store, STREAMS, 2, 2);
    await second.relay.idle();
    // The one that was replaced finds out with its next batch and tries again for ever, without writing.
    await until(() => refusals > 0);
    const copies = (await topic().all()).filter(({ event }) => event?.type === 'notes.noted.v1');
    const consumer = await countNotes(second.bus);
    await appendNotes(store, STREAMS, 2, 4);
    await consumer.idle();
    const later = (await topic().all()).filter(({ event }) => event?.type === 'notes.noted.v1');
    expect(later).toHaveLength(copies.length + 16);
    expect(await effectsOf(second.readModels)).toEqual(exactly(STREAMS, 6));
  });
});
