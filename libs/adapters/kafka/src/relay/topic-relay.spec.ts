import { Unavailable, type Position, type PublicEvent, type StoredEvent } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { TopicRelay } from './topic-relay';

const event = (position: number): StoredEvent => ({
  ...sampleEvent('note.test-a'),
  ...{ stream: 'note.test-a', revision: 0, position: String(position) },
});
const message = {
  ...{ type: 'notes.noted.v1', id: 'id-1', mode: 'test', key: 'note.test-a', sequence: 0 },
} as PublicEvent;

function relay({ admit = () => Promise.resolve() } = {}) {
  const saved: Position[] = [];
  /** Wall times of the progress that was told, by each record; and what Kafka does with the next. */
  const told: number[] = [];
  const state = { wall_ms: 0, away: false };
  const topic_relay = new TopicRelay({
    ...{ name: 'relay.notes:test', schema: 'notes', partitions: 1 },
    topic: { name: 'test.notes.events', context: 'notes', mode: 'test' },
    publisher: () => message,
    guard: { startsBehind: () => undefined, admit, newest: null },
    producer: {
      send(records) {
        if (state.away) return Promise.reject(new Unavailable('kafka'));
        for (const { value } of records) {
          const { data } = JSON.parse(String(value)) as { data?: { wall_ms?: number } };
          if (data?.wall_ms !== undefined) told.push(data.wall_ms);
        }
        return Promise.resolve();
      },
    },
    readModels: {
      release: () => undefined,
      checkpoint: () => Promise.resolve('5'),
      transaction: (work) =>
        work({ query: () => Promise.resolve([]), afterCommit: () => undefined }),
      saveCheckpoint: (_tx, _schema, _follower, position) =>
        Promise.resolve(void saved.push(position)),
    },
    clock: { now: () => 0, wall: () => state.wall_ms },
    delays: { after: () => () => undefined },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  /** The log as it is at that time; as it rests, it tells of it twice a second. */
  const note = async (wall_ms: number) => {
    state.wall_ms = wall_ms;
    await topic_relay.noteProgress('9', wall_ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const rest = async (from_ms: number, until_ms: number) => {
    for (let at_ms = from_ms; at_ms < until_ms; at_ms += 500) await note(at_ms);
  };
  return { topic_relay, saved, told, state, note, rest };
}

describe('the progress of a topic', () => {
  it('in which nothing happens is told once a minute', async () => {
    const { told, rest } = relay();
    await rest(0, 180_000);
    expect(told).toEqual([0, 60_000, 120_000]);
  });

  it('that is asked for is told at once, or as soon as it has come so far', async () => {
    const { topic_relay, told, rest } = relay();
    await rest(0, 10_000);
    topic_relay.tellUpTo(9_000);
    await rest(10_000, 20_000);
    topic_relay.tellUpTo(25_200);
    await rest(20_000, 60_000);
    expect(told).toEqual([0, 9_500, 25_500]);
  });

  it('is told once to all that ask together; one that asks for a time far ahead holds up no other', async () => {
    const { topic_relay, told, rest } = relay();
    await rest(0, 10_000);
    for (const until_ms of [9_999_999, 10_400, 10_100]) topic_relay.tellUpTo(until_ms);
    await rest(10_000, 60_000);
    expect(told).toEqual([0, 10_500]);
  });

  it('that Kafka did not take is told when it takes something again', async () => {
    const { topic_relay, told, state, rest } = relay();
    await rest(0, 10_000);
    state.away = true;
    topic_relay.tellUpTo(10_000);
    await rest(10_000, 70_000);
    expect(told).toEqual([0]);
    state.away = false;
    await rest(70_000, 80_000);
    expect(told).toEqual([0, 70_000]);
  });

  it('is told, too, after a clock was set back', async () => {
    const { told, rest } = relay();
    await rest(600_000, 601_000);
    await rest(0, 30_000);
    expect(told).toEqual([600_000, 0]);
  });
});

it('a relay that ends leaves its checkpoint at the progress that it may have written to the topic', async () => {
  const { topic_relay, saved } = relay();
  await topic_relay.open();
  await topic_relay.noteProgress('9', 1_000);
  expect(saved).toEqual([]);
  topic_relay.stop();
  await topic_relay.leave();
  expect(saved).toEqual(['9']);
});

it('a relay that ends does not go back to progress behind its last batch', async () => {
  const { topic_relay, saved } = relay();
  await topic_relay.open();
  await topic_relay.noteProgress('9', 1_000);
  await topic_relay.pass([event(12)]);
  topic_relay.stop();
  await topic_relay.leave();
  expect(saved).toEqual(['12']);
});

it('a relay ends though the cluster does not say what is in its topic', async () => {
  const { topic_relay, saved } = relay({ admit: () => new Promise(() => undefined) });
  await topic_relay.open();
  const passing = topic_relay.pass([event(6)]);
  topic_relay.stop();
  await expect(passing).rejects.toBeInstanceOf(Unavailable);
  await topic_relay.leave();
  expect(saved).toEqual([]);
});
