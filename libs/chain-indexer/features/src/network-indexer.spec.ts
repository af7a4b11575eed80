import type { Runtime } from '@tender/eventing';
import { NetworkIndexer } from './network-indexer';

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

describe('a watch that this process finds in the records and has not heard of', () => {
  const row = (reference: string, lookup_due = false) => ({
    ...{ reference, payment_id: `pay_${reference}`, merchant_id: 'm1', wallet: 'alice', account: 'alice-usdc' },
    ...{ token: 'USDC', mint: 'usdc', due: '1', expires_at_ms: '1500', correlation_id: 'c1', lookup_due },
    state: 'open',
  });
  const stage = () => {
    const rows = [row('early'), row('due', true)];
    const readModels = {
      query: (text: string) => Promise.resolve(text.includes('chain_indexer.watches') ? [...rows] : []),
    };
    const indexer = new NetworkIndexer({ readModels } as unknown as Runtime, 'test');
    const late = () => [...indexer.book.late.keys()];
    return { rows, indexer, late };
  };

  it('is looked up before its blocks were read here only where the records say so', async () => {
    const { indexer, late } = stage();
    // The bus may have given its checkpoint before the first block is asked for.
    indexer.takeOver();
    await indexer.loaded();
    await indexer.reload();
    await indexer.addTakenOver();
    expect(late()).toEqual(['due']);
  });

  it.each<[string, (indexer: NetworkIndexer) => Promise<void>]>([
    ['the cursor is taken again', (indexer) => indexer.reload()],
    ['the first batch comes', (indexer) => indexer.loaded()],
    ['the next pass begins', () => Promise.resolve()],
  ])('is looked up after blocks were read here, whether or not %s first', async (_, first) => {
    const { rows, indexer, late } = stage();
    await indexer.reload();
    rows.push(row('missed'));
    indexer.takeOver();
    await first(indexer);
    await indexer.addTakenOver();
    expect(late()).toEqual(['due', 'missed']);
  });
});
