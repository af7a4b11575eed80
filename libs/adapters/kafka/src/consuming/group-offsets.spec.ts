import type { KafkaConnection } from '../connection/kafka-connection';
import { GroupOffsets, type PartitionCommit } from './group-offsets';
import { offsetsOfText } from './offsets-text';

const PLACE = { topic: 't', partition: 0 };
const A = 'readers.count-notes';
const B = 'readers.list-notes';

/** Kafka keeps `metadata` of the only partition, whose records are 3 to 8. */
function offsetsOf(metadata: string, consumers: readonly string[] = [A, B]) {
  const commits: PartitionCommit[][] = [];
  let due = (): void => undefined;
  const partitions = [{ partition: 0, offset: '4', metadata }];
  const admin = {
    fetchOffsets: async () => [{ topic: 't', partitions }],
    fetchTopicOffsets: async () => [{ partition: 0, low: '3', high: '9' }],
  };
  const connection = { admin: (ask: (of: object) => unknown) => ask(admin) };
  const offsets = new GroupOffsets({
    connection: connection as unknown as KafkaConnection,
    ...{ group: 'readers', topics: () => ['t'], consumers: new Set(consumers) },
    delays: { after: (_, work) => ((due = work), () => void (due = () => undefined)) },
    commit: async (made) => void commits.push([...made]),
  });
  return { offsets, commits, ring: () => due() };
}

test('Kafka keeps the least offset, and beside it that of each consumer', async () => {
  const { offsets, commits, ring } = offsetsOf('');
  offsets.reach(A, PLACE, { offset: 7n, checkpoint: '70' });
  offsets.reach(B, PLACE, { offset: 5n, checkpoint: null });
  offsets.reach(A, PLACE, { offset: 8n, checkpoint: '80' });
  ring();
  expect(commits).toEqual([[{ ...PLACE, offset: 5n, metadata: expect.any(String) as string }]]);
  const { offsets: again } = offsetsOf((commits[0]?.[0] as PartitionCommit).metadata);
  const borders = { oldest: 3n, end: 9n };
  expect(await again.startOf(A, PLACE)).toEqual({ committed: 8n, checkpoint: '80', ...borders });
  expect(await again.startOf(B, PLACE)).toEqual({ committed: 5n, checkpoint: null, ...borders });
  expect(await again.startOf('readers.new', PLACE)).toEqual({ committed: null, checkpoint: null, ...borders });
  expect(await again.committedBy(A, ['t'])).toEqual(new Map([['t/0', 8n]]));
});

test('of one that has not begun yet it goes on to keep what it had, and of one that is no more nothing', async () => {
  const gone = 'readers.of-before';
  const { offsets, commits, ring } = offsetsOf(JSON.stringify({ [B]: ['4', '40'], [gone]: ['3', null] }));
  await offsets.startOf(A, PLACE);
  offsets.reach(A, PLACE, { offset: 6n, checkpoint: '60' });
  ring();
  const kept = commits[0]?.[0] as PartitionCommit;
  expect(kept.offset).toBe(4n);
  expect([...offsetsOfText(kept.metadata).keys()].toSorted()).toEqual([A, B]);
});

test('the group tells Kafka nothing of a consumer that has gone back, and commits nothing that has not changed', async () => {
  const { offsets, commits, ring } = offsetsOf('');
  offsets.reach(A, PLACE, { offset: 7n, checkpoint: '70' });
  offsets.forget(A, PLACE);
  ring();
  await offsets.commitNow();
  expect(commits).toEqual([]);
  offsets.reach(B, PLACE, { offset: 9n, checkpoint: '90' });
  ring();
  await offsets.commitNow();
  expect(commits).toHaveLength(1);
  expect([...offsetsOfText(commits[0]?.[0]?.metadata ?? '').keys()]).toEqual([B]);
});

test('once it has ended, nothing that a lane still reaches is said', async () => {
  const { offsets, commits, ring } = offsetsOf('');
  offsets.reach(A, PLACE, { offset: 7n, checkpoint: '70' });
  offsets.end();
  offsets.reach(A, PLACE, { offset: 8n, checkpoint: '80' });
  ring();
  expect(commits).toEqual([]);
});

test.each(['', 'what another program has written', '{"a":1}', '{"a":["x",null]}', '[]'])(
  'kept as %p it is as if nothing were kept',
  async (metadata) => {
    expect(await offsetsOf(metadata).offsets.startOf(A, PLACE)).toMatchObject({ committed: null });
  },
);
