/** @needs kafka-process */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchHandler, Log, StreamName } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { silentLog } from '@tender/adapter-postgres/testing';
import { cluster } from '../testing/cluster';
import { appendNotes, countNotes, effectsOf, exactly, STREAMS } from '../testing/effects';
import { count, Services, until, type Service } from '../testing/services';
import type { FetchedRecord } from './lane-records';

const services = new Services();

describe('a member', () => {
  it('that loses partitions in the middle of a batch is fenced: the next owner’s effect counts', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let held = 0;
    const failed: unknown[] = [];
    const log: Log = { ...silentLog, warn: ({ err }: { err?: unknown }) => void failed.push(err) };
    const first = await services.open({ log });
    const hold: BatchHandler = () => {
      held += 1;
      return released;
    };
    const slow = await countNotes(first.bus, { reader: 'slow', meanwhile: hold });
    await appendNotes(services.store, STREAMS, 5);
    await until(() => held >= 3);
    const second = await services.open({ without_relay: true });
    const quick = await countNotes(second.bus, { reader: 'quick' });
    await until(async () => count(await effectsOf(second.readModels, 'quick')) > 0);
    release();
    await slow.idle();
    await quick.idle();
    expect(await effectsOf(second.readModels)).toEqual(exactly(STREAMS, 5));
    await until(() => failed.some((error) => /another process follows/.test(String(error))));
  });

  it('takes over from one that is gone, and shares with one that comes', async () => {
    const first = await services.open();
    await countNotes(first.bus, { reader: 'first' });
    await appendNotes(services.store, STREAMS, 5);
    await until(async () => count(await effectsOf(first.readModels)) > 0);
    const second = await services.open();
    const consumer = await countNotes(second.bus, { reader: 'second' });
    let appended = 5;
    // Until the second is in the group, all of it is the first one's.
    await until(async () => {
      await appendNotes(services.store, STREAMS, 1, appended);
      appended += 1;
      return count(await effectsOf(second.readModels, 'second')) > 0;
    });
    await services.close(first);
    await appendNotes(services.store, STREAMS, 5, appended);
    await consumer.idle();
    expect(await effectsOf(second.readModels)).toEqual(exactly(STREAMS, appended + 5));
  });

  it('works off a backlog that is larger than what it holds in memory', async () => {
    const service = await services.open();
    const two = STREAMS.slice(0, 2);
    for (const stream of two) await appendBacklog(stream);
    await service.relay.idle();
    const consumer = await countNotes(service.bus, { meanwhile: () => sleep(20) });
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(two, 5_000));
  });

  it('does not do again what it did before a crash between effect and offset', async () => {
    const service = await services.open();
    await (await consumed(service)).stop();
    const group = `${services.namespace}readers`;
    // The broker refuses as long as it takes a member for one that may come back.
    const reset = () => services.topic().resetOffsets(group);
    await until(() => reset().then(() => true, () => false));
    expect(Math.max(...(await services.topic().offsetsOf(group)))).toBeLessThanOrEqual(0);
    const again = await countNotes(service.bus);
    await appendNotes(services.store, STREAMS, 1, 5);
    await again.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 6));
  });

  it('reads anew where the database is older than the offset that Kafka keeps', async () => {
    const service = await services.open();
    await (await consumed(service)).stop();
    const kept = () => services.topic().offsetsOf(`${services.namespace}readers`);
    await until(async () => Math.max(...(await kept())) > 0);
    await service.readModels.query('truncate readers.effects, readers.checkpoints');
    const restored = await services.open({ without_relay: true });
    await (await countNotes(restored.bus)).idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 5));
  });

  it.each([
    ['while nothing else happens', 0],
    ['before the next message', 1],
  ])('does again what the database has lost under it, %s', async (_, more) => {
    const service = await services.open();
    const { readModels } = service;
    const consumer = await consumed(service);
    const tables = ['readers.effects', 'readers.checkpoints'];
    for (const table of tables) await readModels.query(`create table ${table}_was as table ${table}`);
    await appendNotes(services.store, STREAMS, 2, 5);
    await consumer.idle();
    expect(await effectsOf(readModels)).toEqual(exactly(STREAMS, 7));
    await readModels.transaction(async (tx) => {
      await tx.query('truncate readers.effects, readers.checkpoints');
      await tx.query(`insert into readers.effects overriding system value table readers.effects_was`);
      await tx.query(`insert into readers.checkpoints table readers.checkpoints_was`);
    });
    await appendNotes(services.store, STREAMS, more, 7);
    await until(async () => count(await effectsOf(readModels)) >= STREAMS.length * (7 + more));
    expect(await effectsOf(readModels)).toEqual(exactly(STREAMS, 7 + more));
  });

  it('stands for all consumers of its context: one that is stuck holds up no other, and loses nothing', async () => {
    const service = await services.open();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const stuck = await countNotes(service.bus, {
      ...{ consumer: 'readers.stuck', reader: 'stuck', meanwhile: () => released },
    });
    const quick = await countNotes(service.bus, { reader: 'quick' });
    const stream: StreamName = 'note.test-many';
    await appendBacklog(stream);
    await quick.idle();
    const { readModels } = service;
    expect(await effectsOf(readModels, 'quick')).toEqual(exactly([stream], 5_000));
    expect(await effectsOf(readModels, 'stuck')).toEqual({});
    release();
    await stuck.idle();
    expect(await effectsOf(readModels, 'stuck')).toEqual(exactly([stream], 5_000));
    const groups = await cluster(services.servers.kafka.brokers).groups();
    const ours = groups.filter((group) => group.startsWith(services.namespace));
    expect(ours).toEqual([`${services.namespace}readers`]);
  });

  /** 5,000 events: more than a lane holds in memory. */
  async function appendBacklog(stream: StreamName): Promise<void> {
    for (let first = 0; first < 5_000; first += 500) {
      const events = Array.from({ length: 500 }, () => sampleEvent(stream, { padding: 'x' }));
      await services.store.append(stream, events, first === 0 ? 'no_stream' : first - 1);
    }
  }

  async function consumed(service: Service) {
    const consumer = await countNotes(service.bus);
    await appendNotes(services.store, STREAMS, 5);
    await consumer.idle();
    return consumer;
  }
});

describe('records', () => {
  it('that come three times, and old ones again out of order, take effect once', async () => {
    const service = await services.open();
    await appendNotes(services.store, STREAMS, 5);
    await service.relay.idle();
    const written = await services.notesInTopic();
    expect(written).toHaveLength(40);
    await services.topic().write([...written, ...[...written].reverse(), ...written]);
    const consumer = await countNotes(service.bus);
    await consumer.idle();
    await services.topic().write([...written].reverse());
    await appendNotes(services.store, STREAMS, 2, 5);
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 7));
  });

  it('that are in two partitions take effect once', async () => {
    // A record that is read again is complained of again.
    const places = new Set<string>();
    const error = (fields: object): void => {
      const { partition, offset } = fields as FetchedRecord;
      places.add(`${partition}/${offset}`);
    };
    const log: Log = { ...silentLog, error };
    const service = await services.open({ log });
    await appendNotes(services.store, STREAMS, 3);
    await service.relay.idle();
    const written = await services.notesInTopic();
    const copies = written.map((record) => ({ ...record, partition: (record.partition + 1) % 3 }));
    await services.topic().write(copies);
    const consumer = await countNotes(service.bus);
    await appendNotes(services.store, STREAMS, 1, 3);
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 4));
    expect(places.size).toBe(24);
  });

  it('that cannot be read, or are of no known type, stop no partition', async () => {
    const complaints: object[] = [];
    const log: Log = { ...silentLog, error: (fields) => void complaints.push(fields) };
    const service = await services.open({ log });
    await appendNotes(services.store, STREAMS, 2);
    await service.relay.idle();
    const [known] = await services.notesInTopic();
    const unknown = String(known?.value).replace('notes.noted.v1', 'notes.sung.v1');
    for (const partition of [0, 1, 2]) {
      await services.topic().write([
        { key: null, value: Buffer.from([0xff, 0x00, 0x01]), partition },
        { key: null, value: null, partition },
        { key: known?.key ?? null, value: Buffer.from(unknown), partition },
      ]);
    }
    const consumer = await countNotes(service.bus);
    await appendNotes(services.store, STREAMS, 2, 2);
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 4));
    expect(complaints.length).toBeGreaterThanOrEqual(6);
  });
});

