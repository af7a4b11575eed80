import { WatchBook, type KeptWatch } from './watch-book';

const watch = (reference: string, expires_at_ms = 1_500): KeptWatch => ({
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
  correlation_id: `correlation-of-${reference}`,
});

describe('the watch book', () => {
  it('knows references until they end, and merchants for ever', () => {
    const book = new WatchBook();
    book.add(watch('r1'));
    book.wallets.addMerchant('m1', 'alice', ['alice-usdc', 'alice-usdt']);
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
    for (const merchant of ['m1', 'm2', 'm1']) book.wallets.addMerchant(merchant, 'alice', []);
    expect(book.wallets.merchantsOf('alice')).toEqual(['m1', 'm2']);
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
    book.lookUps.set('late', null);
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
