/** @needs kafka-process */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log, StreamName } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { silentLog } from '../../postgres/src/testing/quiet-ports';
import { cluster } from './testing/cluster';
import { appendNotes, countNotes, EFFECTS, effectsOf, exactly, STREAMS } from './testing/effects';
import { rawTopic } from './testing/raw-topic';
import { Servers } from './testing/servers';
import { openService, serviceLog } from './testing/service';

const servers = new Servers('jars');
beforeAll(() => servers.begin());
afterAll(() => servers.end());

let systems = 0;
let namespace = '';
let topic = '';
let database = '';
let store: Awaited<ReturnType<typeof serviceLog>>;
let service: Awaited<ReturnType<typeof openService>>;
let errors: { readonly topic: string; readonly message: string }[] = [];
const log: Log = {
  ...silentLog,
  error: (fields: object, message: string) =>
    void errors.push({ ...(fields as { topic: string }), message }),
};

beforeEach(async () => {
  systems += 1;
  namespace = `r${process.pid}-${systems}.`;
  topic = `${namespace}test.notes.events`;
  database = await servers.postgres.database();
  errors = [];
  await open();
});
afterEach(close);

async function open({ without_log = false } = {}): Promise<void> {
  if (!without_log) store = await serviceLog(database);
  service = await openService({ store, database, namespace, brokers: servers.kafka.brokers, log });
  await service.readModels.query(EFFECTS);
}

async function close(): Promise<void> {
  await service.close();
  await store.close();
}

/** Log and tables as they were when the log ended at `position`. */
async function restore(position: number, { relays_back = false } = {}): Promise<void> {
  await service.relay.stop();
  await store.close();
  await service.readModels.query('delete from log.events where position > $1', [position]);
  for (const schema of ['notes', 'readers']) {
    await service.readModels.query(
      `update ${schema}.checkpoints set position = least(position::bigint, $1)::text`,
      [position],
    );
  }
  if (relays_back) await setRelaysBack();
  await service.close();
  store = await serviceLog(database);
}

async function setRelaysBack(): Promise<void> {
  await service.readModels.query(
    `update notes.checkpoints set position = null, epoch = epoch + 1, owner = ''
      where follower like 'relay.%'`,
  );
}

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(20);
};
const records = () => rawTopic(servers.kafka.brokers, topic).all();
const sequencesIn = async (): Promise<number[]> =>
  (await records()).flatMap(({ event }) =>
    event?.type === 'notes.noted.v1' ? [Number((event as { sequence?: string }).sequence)] : [],
  );
const refusals = () => errors.filter((error) => error.topic === topic);
const refusedAgain = (): Promise<void> => {
  const wanted = refusals().length + 1;
  return until(() => refusals().length >= wanted);
};

/** A count of events that nobody makes public. */
async function appendElsewhere(count: number): Promise<void> {
  const stream: StreamName = `memo.test-${sampleEvent('memo.test-x').metadata.id}`;
  const events = Array.from({ length: count }, () => sampleEvent(stream));
  await store.append(stream, events, 'no_stream');
}

async function progressAt(position: number): Promise<void> {
  const told = ({ logposition }: { logposition?: string }) => Number(logposition) >= position;
  await until(async () =>
    (await records()).some(
      ({ event }) => event?.type === 'tender.relay-progress.v1' && told(event as object),
    ),
  );
}

describe('a relay whose log was restored from an older copy', () => {
  it('writes nothing, says so again and again, and goes on when the topic is gone', async () => {
    await appendNotes(store, STREAMS, 5);
    await service.relay.idle();
    await restore(16);
    const before = await records();
    await open({ without_log: true });
    await refusedAgain();
    expect(refusals()[0]?.message).toContain('"Restoring an older backup"');
    await appendNotes(store, STREAMS, 2, 2);
    await refusedAgain();
    expect(await records()).toHaveLength(before.length);
    await cluster(servers.kafka.brokers).deleteTopic(topic);
    await service.relay.idle();
    expect((await sequencesIn()).sort()).toEqual(STREAMS.flatMap(() => [2, 3]).sort());
    const groups = await cluster(servers.kafka.brokers).groups();
    expect(groups.filter((group) => group.startsWith(`${namespace}relay.`))).toHaveLength(0);
  });

  it('is found, too, when the log has grown past the topic before it was looked at', async () => {
    await appendNotes(store, STREAMS, 3);
    await service.relay.idle();
    await restore(16);
    await appendNotes(store, STREAMS, 5, 2);
    const before = await records();
    await open({ without_log: true });
    await refusedAgain();
    expect(await records()).toHaveLength(before.length);
  });

  const tellProgressOnly = async (): Promise<void> => {
    await appendNotes(store, STREAMS, 1);
    await appendElsewhere(20);
    await service.relay.idle();
    await progressAt(28);
    await restore(8, { relays_back: true });
  };

  it('is found at once when the topic has told of progress past the log', async () => {
    await tellProgressOnly();
    await open({ without_log: true });
    await refusedAgain();
  });

  it('is found, too, when the log has grown past that progress', async () => {
    await tellProgressOnly();
    await appendNotes(store, STREAMS, 1, 1);
    await appendElsewhere(20);
    await open({ without_log: true });
    await refusedAgain();
    expect(new Set(await sequencesIn())).toEqual(new Set([0]));
  });

  it('is found behind the mark of a transaction and records of nobody', async () => {
    await appendNotes(store, STREAMS, 3);
    await service.relay.idle();
    await cluster(servers.kafka.brokers).writeTransaction(topic, 'nobody can read this');
    await restore(16);
    await open({ without_log: true });
    await refusedAgain();
  });

  it('loses nothing when the runbook is followed, though services were started before', async () => {
    await appendNotes(store, STREAMS, 5);
    await service.relay.idle();
    await restore(16);
    await open({ without_log: true });
    const early = await countNotes(service.bus);
    await until(() => errors.some(({ message }) => message.includes('a log that is no more')));
    await appendNotes(store, STREAMS, 2, 2);
    await early.stop();
    await service.relay.stop();
    // That of the other mode may hold progress of the log that is no more.
    for (const each of [topic, topic.replace('test.', 'live.')]) {
      await cluster(servers.kafka.brokers).deleteTopic(each);
    }
    await setRelaysBack();
    await service.close();
    errors = [];
    await open({ without_log: true });
    await (await countNotes(service.bus)).idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 4));
    expect(errors).toEqual([]);
  });

  it('tells no consumer of what is no more, and of all that is there when the topic is gone', async () => {
    await appendNotes(store, STREAMS, 5);
    await service.relay.idle();
    await restore(16, { relays_back: true });
    await open({ without_log: true });
    const consumer = await countNotes(service.bus);
    await until(() => errors.some(({ message }) => message.includes('a log that is no more')));
    await appendNotes(store, STREAMS, 2, 2);
    await cluster(servers.kafka.brokers).deleteTopic(topic);
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 4));
  });

  it('takes no consumer past what is there, by progress that is no more', async () => {
    await tellProgressOnly();
    await open({ without_log: true });
    const consumer = await countNotes(service.bus);
    const heard = async () => Object.values(await effectsOf(service.readModels)).flat();
    await until(async () => (await heard()).length === STREAMS.length);
    await appendNotes(store, STREAMS, 1, 1);
    await refusedAgain();
    await cluster(servers.kafka.brokers).deleteTopic(topic);
    await consumer.idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 2));
  });
});

describe('a relay whose log is whole goes on', () => {
  const goesOn = async (): Promise<void> => {
    await appendNotes(store, STREAMS, 2, 3);
    await (await countNotes(service.bus)).idle();
    expect(await effectsOf(service.readModels)).toEqual(exactly(STREAMS, 5));
    expect(errors).toEqual([]);
  };

  beforeEach(async () => {
    await appendNotes(store, STREAMS, 3);
    await service.relay.idle();
  });

  it('behind what it had written before its checkpoint', async () => {
    await service.relay.stop();
    await service.readModels.query(`update notes.checkpoints set position = '5'`);
    await service.close();
    await open({ without_log: true });
    await goesOn();
  });

  it('from the beginning, when it was set back', async () => {
    await service.relay.stop();
    await service.readModels.query('update notes.checkpoints set position = null');
    await service.close();
    await open({ without_log: true });
    await goesOn();
  });

  it('in a topic that has no records any more', async () => {
    await service.relay.stop();
    await cluster(servers.kafka.brokers).deleteRecords(topic);
    await service.readModels.query('update notes.checkpoints set position = null');
    await service.close();
    await open({ without_log: true });
    await goesOn();
  });

  it('behind records that nobody can read', async () => {
    await service.relay.stop();
    const other = cluster(servers.kafka.brokers);
    for (let turn = 0; turn < 12; turn += 1) await other.writeTransaction(topic, 'not for us');
    await service.close();
    await open({ without_log: true });
    await appendNotes(store, STREAMS, 2, 3);
    await service.relay.idle();
    expect(await sequencesIn()).toHaveLength(40);
    expect(errors).toEqual([]);
  });
});
