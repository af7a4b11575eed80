import type { Runtime } from '@tender/eventing';
import { NetworkMemory } from './network-memory';

test('a clock that is ahead does not make memory believe that it has heard of payments that are still to be recorded', () => {
  const clock = { ms: 100_000, wall: () => clock.ms };
  const memory = new NetworkMemory({ clock } as unknown as Runtime, 'test');
  memory.heard('transfers', 200_000);
  memory.heard('payments', 160_000);
  expect(memory.heard_times).toEqual({ payments: 100_000, transfers: 100_000 });
  memory.heard('payments', 99_000);
  expect(memory.heard_times).toEqual({ payments: 100_000, transfers: 100_000 });
  clock.ms = 101_000;
  memory.heard('transfers', 101_000);
  memory.heard('payments', 100_500);
  expect(memory.heard_times).toEqual({ payments: 100_500, transfers: 101_000 });
});

test('money waits for the facts that are behind, and asks the bus for those alone', () => {
  const memory = new NetworkMemory({ clock: { wall: () => 9_000 } } as unknown as Runtime, 'test');
  memory.heard('payments', 5_000);
  memory.held.set('c1', { credit_id: 'c1', wallet: 'alice', seen_wall_ms: 4_000, of_operating_wallet: true });
  expect([memory.awaits('payments'), memory.awaits('transfers')]).toEqual([null, 4_000]);
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
    const memory = new NetworkMemory({ readModels } as unknown as Runtime, 'test');
    const lookUps = () => [...memory.book.lookUps.keys()];
    return { rows, memory, lookUps };
  };

  it('is looked up before its blocks were read here only where the records say so', async () => {
    const { memory, lookUps } = stage();
    // The bus may have given its checkpoint before the first block is asked for.
    memory.takeOver();
    await memory.loaded();
    await memory.reload();
    await memory.addTakenOver();
    expect(lookUps()).toEqual(['due']);
  });

  it.each<[string, (memory: NetworkMemory) => Promise<void>]>([
    ['the cursor is taken again', (memory) => memory.reload()],
    ['the first batch comes', (memory) => memory.loaded()],
    ['the next pass begins', () => Promise.resolve()],
  ])('is looked up after blocks were read here, whether or not %s first', async (_, first) => {
    const { rows, memory, lookUps } = stage();
    await memory.reload();
    rows.push(row('missed'));
    memory.takeOver();
    await first(memory);
    await memory.addTakenOver();
    expect(lookUps()).toEqual(['due', 'missed']);
  });
});
