import { factFaults } from '@tender/contracts/testing';
import type { Publication, StoredEvent } from '@tender/eventing';
import credits from '../../domain/src/recorded/credit-v1.json';
import watches from '../../domain/src/recorded/watch-v1.json';
import { publishChainIndexer } from './publish-chain-indexer';
import published from './recorded/chain-indexer-public-v1.json';

const golden: Record<string, unknown> = published;

const histories = [
  ...Object.entries(credits).map(([name, events]) => ['credit.test-S1', `credit ${name}`, events] as const),
  ...Object.entries(watches).map(([name, events]) => ['watch.test-P1', `watch ${name}`, events] as const),
];

// Public events of version 1 never change: a difference here breaks a consumer. A field may be added, and
// what was recorded stays as it is: topics hold records without it.
test.each(histories)('what %s (%s) says in public is what version 1 says', (stream, name, events) => {
  const said: (Publication | null)[] = JSON.parse(
    JSON.stringify(
      (events as readonly unknown[] as readonly StoredEvent[]).map((event) =>
        publishChainIndexer({ ...event, stream }),
      ),
    ),
  );
  expect(said).toMatchObject(golden[name] as object);
  expect(said.flatMap((one) => (one ? factFaults(one) : []))).toEqual([]);
});

test('an allocation is published once, by the watch', () => {
  const says = (history: string) => JSON.stringify(golden[history]).includes('credit-allocated');
  expect([says('credit allocated'), says('watch paid')]).toEqual([false, true]);
});
