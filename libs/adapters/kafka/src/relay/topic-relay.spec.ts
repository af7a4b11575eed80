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
  const topic_relay = new TopicRelay({
    ...{ name: 'relay.notes:test', schema: 'notes', partitions: 1 },
    topic: { name: 'test.notes.events', context: 'notes', mode: 'test' },
    publisher: () => message,
    guard: { startsBehind: () => undefined, admit, newest: null },
    producer: { send: () => Promise.resolve() },
    readModels: {
      release: () => undefined,
      checkpoint: () => Promise.resolve('5'),
      transaction: (work) => work({ query: () => Promise.resolve([]) }),
      saveCheckpoint: (_tx, _schema, _follower, position) =>
        Promise.resolve(void saved.push(position)),
    },
    clock: { now: () => 0, wall: () => 0 },
    delays: { after: () => () => undefined },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  return { topic_relay, saved };
}

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
