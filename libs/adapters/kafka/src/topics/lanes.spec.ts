import type { PublicEvent, Publishing, StreamMode } from '@tender/eventing';
import { homePartition } from './home-partition';
import { kafkaLanes } from './lanes';

const context = (name: string, categories: readonly string[]): Publishing => ({
  name,
  schema: name.replaceAll('-', '_'),
  publishes: { categories, publish: () => null } as Publishing['publishes'],
});
const CONTEXTS = [
  context('accounts', ['merchant.all']),
  context('chain-indexer', ['watch.test', 'credit.test', 'watch.live', 'credit.live']),
  context('webhook-dispatcher', []),
];
const lanes = kafkaLanes(CONTEXTS, 2);

test.each<[StreamMode, string[]]>([
  ['all', ['accounts/0', 'accounts/1']],
  ['test', ['chain-indexer/0', 'chain-indexer/1']],
])('the lanes of mode %s are the partitions of its topics', (mode, expected) => {
  expect(lanes.lanes(mode)).toEqual(expected);
});

test('a message belongs to the lane of the partition that its key is at home in', () => {
  const message = { type: 'chain-indexer.credit-allocated.v1', key: 'watch.test-pay_1' } as PublicEvent;
  expect(lanes.laneOf(message)).toBe(`chain-indexer/${homePartition(message.key, 2)}`);
});

test('a context without public events has no relay', () => {
  expect(lanes.relays).toEqual([
    { schema: 'accounts', follower: 'relay.accounts:all', mode: 'all' },
    { schema: 'chain_indexer', follower: 'relay.chain-indexer:test', mode: 'test' },
    { schema: 'chain_indexer', follower: 'relay.chain-indexer:live', mode: 'live' },
  ]);
});
