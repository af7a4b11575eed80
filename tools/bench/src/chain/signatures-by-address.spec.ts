import { SignaturesByAddress } from './signatures-by-address';

const transaction = (signature: string, ...accountKeys: string[]) => ({
  signature,
  json: JSON.stringify({ transaction: { message: { accountKeys } } }),
});

const chain = new SignaturesByAddress();
chain.add(transaction('first', 'shop', 'a'), { slot: 1, block_time: 10 });
chain.add(transaction('second', 'shop', 'b'), { slot: 2, block_time: 20 });
chain.add(transaction('third', 'shop'), { slot: 2, block_time: 20 });

const asked = (address: string, options?: object) =>
  chain.of(address, options).map(({ signature }) => signature);

test('the newest signature of an address comes first', () => {
  expect(asked('shop')).toEqual(['third', 'second', 'first']);
  expect(chain.of('b', undefined)).toEqual([
    expect.objectContaining({ signature: 'second', slot: 2, blockTime: 20, err: null }),
  ]);
  expect(asked('unused')).toEqual([]);
});

test('a page ends before a signature, begins after one, and holds no more than its limit', () => {
  expect(asked('shop', { before: 'third', commitment: 'confirmed' })).toEqual(['second', 'first']);
  expect(asked('shop', { until: 'first' })).toEqual(['third', 'second']);
  expect(asked('shop', { limit: 1 })).toEqual(['third']);
  expect(asked('shop', { before: 'third', until: 'first', limit: 9 })).toEqual(['second']);
  expect(asked('shop', { before: 'first' })).toEqual([]);
});
