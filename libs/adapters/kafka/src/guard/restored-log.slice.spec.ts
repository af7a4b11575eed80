/** @needs kafka-process */
import { appendNotes, countNotes, exactly, STREAMS } from '../testing/effects';
import { RestorableService } from '../testing/restorable-service';
import { until } from '../testing/services';

const system = new RestorableService();

describe('a relay whose log was restored from an older copy', () => {
  it('writes nothing, says so again and again, and goes on when the topic is gone', async () => {
    await appendNotes(system.store, STREAMS, 5);
    await system.service.relay.idle();
    await system.restore(16);
    const before = await system.records();
    await system.open();
    await system.refusedAgain();
    expect(system.refusals[0]?.message).toContain('"Restoring an older backup"');
    await appendNotes(system.store, STREAMS, 2, 2);
    await system.refusedAgain();
    expect(await system.records()).toHaveLength(before.length);
    await system.cluster.deleteTopic(system.topic);
    await system.service.relay.idle();
    expect((await system.sequencesInTopic()).sort()).toEqual(STREAMS.flatMap(() => [2, 3]).sort());
    // The groups in which it has read the topic are removed in their own time.
    const isItsOwn = (group: string) => group.startsWith(`${system.namespace}relay.`);
    await until(async () => !(await system.cluster.groups()).some(isItsOwn));
  });

  it('is found, too, when the log has grown past the topic before it was looked at', async () => {
    await appendNotes(system.store, STREAMS, 3);
    await system.service.relay.idle();
    await system.restore(16);
    await appendNotes(system.store, STREAMS, 5, 2);
    const before = await system.records();
    await system.open();
    await system.refusedAgain();
    expect(await system.records()).toHaveLength(before.length);
  });

  const tellProgressOnly = async (): Promise<void> => {
    await appendNotes(system.store, STREAMS, 1);
    await system.appendElsewhere(20);
    await system.service.relay.idle();
    await system.progressAt(28);
    await system.restore(8, { relays_back: true });
  };

  it('is found at once when the topic has told of progress past the log', async () => {
    await tellProgressOnly();
    await system.open();
    await system.refusedAgain();
  });

  it('is found, too, when the log has grown past that progress', async () => {
    await tellProgressOnly();
    await appendNotes(system.store, STREAMS, 1, 1);
    await system.appendElsewhere(20);
    await system.open();
    await system.refusedAgain();
    expect(new Set(await system.sequencesInTopic())).toEqual(new Set([0]));
  });

  it('is found behind the mark of a transaction and records of a stranger', async () => {
    await appendNotes(system.store, STREAMS, 3);
    await system.service.relay.idle();
    await system.cluster.writeTransaction(system.topic, 'nobody can read this');
    await system.restore(16);
    await system.open();
    await system.refusedAgain();
  });

  it('loses nothing when the runbook is followed, though services were started before', async () => {
    await appendNotes(system.store, STREAMS, 5);
    await system.service.relay.idle();
    await system.restore(16);
    await system.open();
    const early = await countNotes(system.service.bus);
    await until(() => system.errors.some(({ message }) => message.includes('a log that is no more')));
    await appendNotes(system.store, STREAMS, 2, 2);
    await early.stop();
    await system.service.relay.stop();
    // That of the other mode may hold progress of the log that is no more.
    for (const each of [system.topic, system.topic.replace('test.', 'live.')]) {
      await system.cluster.deleteTopic(each);
    }
    await system.setRelaysBack();
    await system.service.close();
    system.errors = [];
    await system.open();
    await (await countNotes(system.service.bus)).idle();
    expect(await system.effects()).toEqual(exactly(STREAMS, 4));
    expect(system.errors).toEqual([]);
  });

  it('tells no consumer of what is no more, and of all that is there when the topic is gone', async () => {
    await appendNotes(system.store, STREAMS, 5);
    await system.service.relay.idle();
    await system.restore(16, { relays_back: true });
    await system.open();
    const consumer = await countNotes(system.service.bus);
    await until(() => system.errors.some(({ message }) => message.includes('a log that is no more')));
    await appendNotes(system.store, STREAMS, 2, 2);
    await system.cluster.deleteTopic(system.topic);
    await consumer.idle();
    expect(await system.effects()).toEqual(exactly(STREAMS, 4));
  });

  it('takes no consumer past what is there, by progress that is no more', async () => {
    await tellProgressOnly();
    await system.open();
    const consumer = await countNotes(system.service.bus);
    const heard = async () => Object.values(await system.effects()).flat();
    await until(async () => (await heard()).length === STREAMS.length);
    await appendNotes(system.store, STREAMS, 1, 1);
    await system.refusedAgain();
    await system.cluster.deleteTopic(system.topic);
    await consumer.idle();
    expect(await system.effects()).toEqual(exactly(STREAMS, 2));
  });
});

describe('a relay whose log is whole goes on', () => {
  const goesOn = async (): Promise<void> => {
    await appendNotes(system.store, STREAMS, 2, 3);
    await (await countNotes(system.service.bus)).idle();
    expect(await system.effects()).toEqual(exactly(STREAMS, 5));
    expect(system.errors).toEqual([]);
  };

  beforeEach(async () => {
    await appendNotes(system.store, STREAMS, 3);
    await system.service.relay.idle();
  });

  it('behind what it had written before its checkpoint', async () => {
    await system.service.relay.stop();
    await system.service.readModels.query(`update notes.checkpoints set position = '5'`);
    await system.reopen();
    await goesOn();
  });

  it('from the beginning, when it was set back', async () => {
    await system.service.relay.stop();
    await system.service.readModels.query('update notes.checkpoints set position = null');
    await system.reopen();
    await goesOn();
  });

  it('in a topic that has no records any more', async () => {
    await system.service.relay.stop();
    await system.cluster.deleteRecords(system.topic);
    await system.service.readModels.query('update notes.checkpoints set position = null');
    await system.reopen();
    await goesOn();
  });

  it('behind records that cannot be read', async () => {
    await system.service.relay.stop();
    const other = system.cluster;
    for (let turn = 0; turn < 12; turn += 1) await other.writeTransaction(system.topic, 'not for us');
    await system.reopen();
    await appendNotes(system.store, STREAMS, 2, 3);
    await system.service.relay.idle();
    expect(await system.sequencesInTopic()).toHaveLength(40);
    expect(system.errors).toEqual([]);
  });
});
