import type { Runtime } from '@tender/eventing';
import { NetworkIndexer } from './chain-indexer';

test('a clock that is ahead does not make a payment heard that is still to be recorded', () => {
  const clock = { ms: 100_000, wall: () => clock.ms };
  const indexer = new NetworkIndexer({ clock } as unknown as Runtime, 'test');
  indexer.heard(160_000);
  expect(indexer.heard_wall_ms).toBe(100_000);
  indexer.heard(99_000);
  expect(indexer.heard_wall_ms).toBe(100_000);
  clock.ms = 101_000;
  indexer.heard(100_500);
  expect(indexer.heard_wall_ms).toBe(100_500);
});
