/** @needs kafka-process */
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '@tender/eventing';
import { appendNotes, countNotes, effectsOf, exactly, STREAMS } from './testing/effects';
import { count, Services, until } from './testing/services';

const services = new Services();
/** With one a minute, which come by themselves, a test would run out of time. */
const TELLINGS = 11;

/** The broker says nothing until `work` has ended, however that is: the tests behind it need one that does. */
async function whileSilent(work: () => Promise<unknown>): Promise<void> {
  const pid = services.servers.kafka.pid as number;
  process.kill(pid, 'SIGSTOP');
  await work().finally(() => process.kill(pid, 'SIGCONT'));
}

describe('a broker', () => {
  it('that is killed and started again loses nothing, and appends go on meanwhile', async () => {
    const service = await services.open();
    const consumer = await countNotes(service.bus);
    await appendNotes(services.store, STREAMS, 10);
    await until(async () => count(await effectsOf(service.readModels)) > 0);
    await services.servers.kafka.kill();
    await appendNotes(services.store, STREAMS, 10, 10);
    await services.servers.startBroker();
    await appendNotes(services.store, STREAMS, 10, 20);
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 30));
  });

  it('that says nothing for a while is waited for', async () => {
    const service = await services.open();
    const consumer = await countNotes(service.bus);
    await appendNotes(services.store, STREAMS, 5);
    await until(async () => count(await effectsOf(service.readModels)) > 0);
    await whileSilent(async () => {
      await appendNotes(services.store, STREAMS, 5, 5);
      await sleep(4_000);
    });
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 10));
  });
});

describe('a service', () => {
  it('starts, appends and ends without a broker, and goes on when there is one', async () => {
    await services.servers.kafka.kill();
    const early = await services.open();
    await countNotes(early.bus);
    await appendNotes(services.store, STREAMS, 3);
    await services.close(early);
    const service = await services.open();
    const consumer = await countNotes(service.bus);
    await appendNotes(services.store, STREAMS, 3, 3);
    await services.servers.startBroker();
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 6));
  });

  it('ends while its broker says nothing', async () => {
    const service = await services.open();
    await countNotes(service.bus);
    await appendNotes(services.store, STREAMS, 3);
    await whileSilent(async () => {
      await appendNotes(services.store, STREAMS, 3, 3);
      await services.close(service);
    });
    const next = await services.open();
    await (await countNotes(next.bus)).idle();
    expect(await effectsOf(next.readModels)).toEqual(exactly(STREAMS, 6));
  });
});

describe('a relay', () => {
  it('that ends between acknowledgement and checkpoint writes twice, and the effect is once', async () => {
    let crashed = false;
    const dying = await services.open({
      relayModels: (readModels) => ({
        ...readModels,
        saveCheckpoint(_tx, _schema, follower, position) {
          // Other progress than behind the first event says nothing of an acknowledgement.
          crashed ||= follower === 'relay.notes:test' && Number(position) > 0;
          return Promise.reject(new Unavailable('the process'));
        },
      }),
    });
    await appendNotes(services.store, STREAMS, 3);
    await until(() => crashed);
    await services.close(dying);
    const service = await services.open();
    const consumer = await countNotes(service.bus);
    await consumer.idle();
    const ids = await services.notesInTopic();
    expect(ids.length).toBeGreaterThan(new Set(ids.map(({ event }) => event?.id)).size);
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 3));
  });

  it('that was replaced writes no more', async () => {
    let refusals = 0;
    const first = await services.open({
      relayModels: (readModels) => ({
        ...readModels,
        transaction: (work) =>
          readModels.transaction(work).catch((error: unknown) => {
            // That of the other mode, which has no events, finds out in its own time.
            if (String(error).includes('relay.notes:test')) refusals += 1;
            throw error;
          }),
      }),
    });
    await appendNotes(services.store, STREAMS, 2);
    await first.relay.idle();
    const second = await services.open();
    await appendNotes(services.store, STREAMS, 2, 2);
    await second.relay.idle();
    // The one that was replaced finds out with its next batch and tries again for ever, without writing.
    await until(() => refusals > 0);
    const copies = await services.notesInTopic();
    const consumer = await countNotes(second.bus);
    await appendNotes(services.store, STREAMS, 2, 4);
    await consumer.idle();
    const later = await services.notesInTopic();
    expect(later).toHaveLength(copies.length + 16);
    expect(await effectsOf(second.readModels)).toEqual(exactly(STREAMS, 6));
  });
});

describe('a topic at rest', () => {
  it('tells of progress whenever a consumer waits for it, though the broker was away or the relay begins anew', async () => {
    const { bus, relay } = await services.open();
    let awaited_ms = 0;
    let heard_ms = 0;
    await bus.consume({
      consumer: 'readers.count-notes',
      types: ['notes.noted.v1'],
      handler: () => Promise.resolve(),
      awaits: () => awaited_ms,
      onProgress(mode, wall_ms) {
        if (mode === 'test') heard_ms = wall_ms;
      },
    });
    await appendNotes(services.store, STREAMS, 1);
    for (let telling = 1; telling <= TELLINGS; telling += 1) {
      awaited_ms = Date.now();
      if (telling === 4) {
        await services.servers.kafka.kill();
        await services.servers.startBroker();
      }
      if (telling === 8) {
        await relay.stop();
        await relay.start();
      }
      await until(() => heard_ms >= awaited_ms);
    }
  });

  it('has an end for a client that reads up to it', async () => {
    const { relay } = await services.open();
    await appendNotes(services.store, STREAMS, 3);
    await relay.idle();
    const read = await services.topic().untilNothingComes();
    const notes = read.filter(({ event }) => event?.type === 'notes.noted.v1');
    expect(notes).toHaveLength(3 * STREAMS.length);
  });

  it('takes less room than the text of its records', async () => {
    const { bus, relay } = await services.open({ without_relay: true });
    // What is there when it begins it packs together, however slowly it was appended.
    await appendNotes(services.store, STREAMS, 20);
    await relay.start();
    const consumer = await countNotes(bus);
    await consumer.idle();
    const text = (await services.topic().all()).map(({ value }) => String(value)).join('');
    expect(services.bytesOfTopic()).toBeLessThan(text.length);
  });
});
