import type { Watch } from '@tender/chain-indexer-domain';
import { RecentKeys } from './recent-keys';
import { WatchBook } from './watch-book';

const watch = (reference: string, expires_at_ms = 1_500): Watch => ({
  payment_id: `pay_${reference}`,
  merchant_id: 'm1',
  reference,
  wallet: 'alice',
  account: 'alice-usdc',
  token: 'USDC',
  mint: 'usdc',
  due: 1n,
  expires_at_ms,
  state: 'open',
});

describe('the watch book', () => {
  it('knows references until they end, and merchants for ever', () => {
    const book = new WatchBook();
    book.add(watch('r1'));
    book.addMerchant('m1', 'alice', ['alice-usdc', 'alice-usdt']);
    expect(['r1', 'alice', 'alice-usdt', 'bob'].map((key) => book.knows(key))).toEqual([true, true, true, false]);
    book.remove('r1');
    expect(book.knows('r1')).toBe(false);
    expect(book.knows('alice')).toBe(true);
  });

  it('knows a key that shares its print with others for as long as it is open itself', () => {
    const book = new WatchBook();
    const sameEnd = Array.from({ length: 300 }, (_, index) => `${index}-SAMEEND`);
    for (const reference of sameEnd) book.add(watch(reference));
    expect(sameEnd.every((key) => book.knows(key))).toBe(true);
    expect(book.knows('x-SAMEEND')).toBe(false);
    for (const reference of sameEnd.slice(1)) book.remove(reference);
    expect(book.knows(sameEnd[0] as string)).toBe(true);
    expect(book.knows(sameEnd[1] as string)).toBe(false);
  });

  it('has no expired watch any more when it is gone, and has those that come later', () => {
    const book = new WatchBook();
    book.add(watch('r1', 1_500));
    expect(book.expiredBy(9_000)).toHaveLength(1);
    expect(book.expiredBy(9_000)).toHaveLength(1);
    book.remove('r1');
    expect(book.expiredBy(9_000)).toEqual([]);
    book.add(watch('r2', 500_000));
    expect(book.expiredBy(9_000)).toEqual([]);
    book.add(watch('r3', 2_500));
    expect(book.expiredBy(9_000).map(({ reference }) => reference)).toEqual(['r3']);
    expect(book.waitsFor(2_499)).toBe(false);
    expect(book.waitsFor(2_500)).toBe(true);
  });

  it('gives the merchants that share a wallet, each once', () => {
    const book = new WatchBook();
    for (const merchant of ['m1', 'm2', 'm1']) book.addMerchant(merchant, 'alice', []);
    expect(book.merchantsOf('alice')).toEqual(['m1', 'm2']);
  });

  it.each([
    [1_000, []],
    [1_500, []],
    [2_000, ['r1']],
    [3_000, ['r1', 'r2']],
  ])('at block time %d ms has these expired: %j', (watermark_ms, expired) => {
    const book = new WatchBook();
    book.add(watch('r1', 1_500));
    book.add(watch('r2', 2_000));
    book.add(watch('late', 100));
    book.late.set('late', null);
    expect(book.expiredBy(watermark_ms).map(({ reference }) => reference)).toEqual(expired);
  });

  it('tells the first block time that ends a watch', () => {
    const book = new WatchBook();
    expect(book.nextEnd()).toBeNull();
    for (const [reference, expires_at_ms] of [['r1', 1_500], ['r2', 7_000], ['r3', 7_999]] as const) {
      book.add(watch(reference, expires_at_ms));
    }
    expect(book.nextEnd()).toBe(2_000);
    book.remove('r1');
    expect(book.nextEnd()).toBe(8_000);
    expect(book.expiredBy(7_000)).toEqual([]);
    expect(book.expiredBy(8_000)).toHaveLength(2);
    for (const reference of ['r2', 'r3']) book.remove(reference);
    expect(book.nextEnd()).toBeNull();
  });

  it('waits for a time at which a watch has expired', () => {
    const book = new WatchBook();
    book.add(watch('r1', 1_500));
    expect([1_499, 1_500, 1_501].map((ms) => book.waitsFor(ms))).toEqual([false, true, true]);
    book.remove('r1');
    expect(book.waitsFor(9_999)).toBe(false);
  });
});

describe('recent keys', () => {
  const keys = (complete_since: number, prints_max?: number) => {
    const recent = new RecentKeys(complete_since, prints_max);
    const read = (slot: number, wall_ms: number, ...names: string[]) => {
      const block = recent.record(slot, wall_ms);
      for (const name of names) block.add(name);
      block.end();
    };
    const naming = (key: string, recorded_ms: number, heard_ms = recorded_ms) =>
      recent.slotsNaming(key, recorded_ms, heard_ms);
    return { recent, read, naming };
  };

  it('tells in which blocks read since a payment was recorded it may be named', () => {
    const { naming, read } = keys(0);
    read(7, 100_000, 'referenceA', 'referenceB');
    read(9, 100_400, 'referenceA');
    expect(naming('referenceA', 100_000)).toEqual([7, 9]);
    expect(naming('referenceB', 105_000)).toEqual([7]);
    expect(naming('referenceC', 100_000)).toEqual([]);
  });

  it('counts the block that is being read', () => {
    const { recent, naming } = keys(0);
    recent.record(7, 100_000).add('referenceA');
    expect(naming('referenceA', 100_000)).toEqual([7]);
  });

  it('cannot tell of the time before it began, or of what it forgot', () => {
    expect(keys(95_000).naming('x', 100_000)).toBeNull();
    const { naming, read } = keys(0);
    read(7, 100_000, 'referenceA');
    read(8, 170_000, 'referenceB');
    expect(naming('x', 105_000)).toBeNull();
    expect(naming('x', 115_000)).toEqual([]);
  });

  it('forgets the oldest blocks beyond its bound; empty blocks and repeated keys cost nothing', () => {
    const { naming, read } = keys(0, 2);
    read(7, 100_000, 'referenceA', 'referenceA', 'referenceA');
    read(8, 101_000);
    read(9, 102_000, 'referenceB');
    expect(naming('referenceA', 110_000)).toEqual([7]);
    read(10, 103_000, 'referenceC');
    expect(naming('referenceA', 110_000)).toBeNull();
    expect(naming('referenceB', 112_000)).toEqual([9]);
  });

  it('knows of payments recorded since the very first start', () => {
    const { recent, naming, read } = keys(Number.POSITIVE_INFINITY);
    recent.begin(100_000);
    read(7, 100_000, 'referenceA');
    expect(naming('referenceA', 100_000)).toEqual([7]);
    expect(naming('referenceB', 100_000)).toEqual([]);
    expect(naming('referenceB', 99_999)).toBeNull();
  });

  it('believes no clock that is more than 10 s ahead of its own', () => {
    const { naming, read } = keys(0);
    read(7, 100_000, 'referenceA');
    expect(naming('referenceB', 110_001, 100_000)).toBeNull();
    expect(naming('referenceB', 110_000, 100_000)).toEqual([]);
  });

  it('finds the block that was read long before the time at which a clock ahead has it recorded', () => {
    const { naming, read } = keys(0);
    read(7, 100_000, 'referenceA');
    // Recorded at 99,000 by a clock that is 45 s ahead, heard 40 s late.
    expect(naming('referenceA', 144_000, 139_000)).toEqual([7]);
  });

  it('does not know anything until it is told since when it is complete', () => {
    expect(new RecentKeys().slotsNaming('x', 1e15, 1e15)).toBeNull();
  });
});
