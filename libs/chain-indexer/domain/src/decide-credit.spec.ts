import { decide, type CommandOf, type Decision } from '@tender/kernel';
import fc from 'fast-check';
import {
  creditDecider,
  judgeCredit,
  type Credit,
  type CreditEvent,
  type CreditState,
  type Watch,
} from './index';

type CreditCommand = CommandOf<typeof creditDecider>;

const watch = (more: Partial<Watch> = {}): Watch => ({
  payment_id: 'pay_1',
  merchant_id: 'm1',
  reference: 'r1',
  wallet: 'merchant',
  account: 'ata',
  token: 'USDC',
  mint: 'USDC',
  due: 100n,
  expires_at_ms: 100_000,
  state: 'open',
  ...more,
});
const credit = (amount: bigint, more: Partial<Credit> = {}): Credit => ({
  signature: 'sig',
  slot: 7,
  wallet: 'merchant',
  mint: 'USDC',
  account: 'ata',
  amount,
  by_account: new Map([['ata', amount]]),
  classic: true,
  block_time: 100,
  from_wallet: 'customer',
  ...more,
});
const settle = (brought: Credit, ...candidates: Watch[]): CreditCommand => ({
  type: 'SettleCredit',
  credit: brought,
  candidates,
  token: 'USDC',
  block_time: '1970-01-01T00:01:40.000Z',
});
const report = (...merchant_ids: string[]): CreditCommand => ({
  ...{ type: 'ReportCredit', merchant_ids, sent_by: null },
});

/** Runs the commands in order and gives the events of the last one. */
function given(...commands: CreditCommand[]) {
  let state: CreditState = creditDecider.initial;
  let events: readonly CreditEvent[] = [];
  for (const command of commands) {
    const decision = decide(creditDecider, command, state);
    if (!decision.ok) throw new Error('a credit is never refused');
    events = decision.events;
    state = events.reduce(creditDecider.evolve, state);
  }
  return { events, state };
}
const decided = (...commands: CreditCommand[]) =>
  given(...commands).events.map(({ type, data }) => {
    const { payment_id, amount } = data;
    return [type, 'reason' in data ? data.reason : null, payment_id, amount];
  });

describe('what a credit is to a payment it names', () => {
  it.each([
    ['pays', credit(100n), watch()],
    ['pays', credit(101n), watch()],
    ['short', credit(99n), watch()],
    ['short', credit(1n), watch()],
    ['pays', credit(100n, { block_time: 100 }), watch({ expires_at_ms: 100_000 })],
    ['late', credit(100n, { block_time: 101 }), watch({ expires_at_ms: 100_999 })],
    ['late', credit(100n), watch({ state: 'closed' })],
    ['duplicate', credit(100n, { block_time: 101 }), watch({ state: 'paid' })],
    ['wrong_mint', credit(100n, { mint: 'FAKE' }), watch()],
    ['wrong_mint', credit(100n, { classic: false }), watch()],
    ['wrong_mint', credit(100n, { mint: null }), watch()],
    ['wrong_account', credit(100n, { by_account: new Map([['second', 100n]]) }), watch()],
    ['wrong_account', credit(100n, { by_account: new Map([['ata', 99n], ['second', 1n]]) }), watch()],
    ['pays', credit(100n, { by_account: new Map([['ata', 120n], ['second', -20n]]) }), watch()],
  ] as const)('%s', (verdict, brought, named) => {
    expect(judgeCredit(brought, named)).toBe(verdict);
  });
});

describe('settling a credit', () => {
  it('allocates it whole to the payment it satisfies, surplus included', () => {
    expect(decided(settle(credit(130n), watch()))).toEqual([['CreditAllocated', null, 'pay_1', '130']]);
  });

  it('with two references confirms the first that it satisfies, also when it would do for both', () => {
    const one = watch();
    const two = watch({ payment_id: 'pay_2', reference: 'r2' });
    expect(decided(settle(credit(200n), one, two))).toEqual([['CreditAllocated', null, 'pay_1', '200']]);
    const dear = watch({ due: 150n });
    expect(decided(settle(credit(100n), dear, two))).toEqual([['CreditAllocated', null, 'pay_2', '100']]);
  });

  it('names the payment and the reason when it satisfies none', () => {
    expect(decided(settle(credit(1n), watch()))).toEqual([['CreditUnmatched', 'short', 'pay_1', '1']]);
  });

  it('is decided once: neither a repeat nor another candidate changes it', () => {
    const other = settle(credit(100n), watch({ payment_id: 'pay_2' }));
    expect(decided(settle(credit(100n), watch()), other)).toEqual([]);
    const cheaper = settle(credit(1n), watch({ due: 1n }));
    expect(decided(settle(credit(1n), watch()), cheaper)).toEqual([]);
  });

  it('holds money without a reference until a watch that came after it claims it or it is reported', () => {
    const unnamed = settle(credit(100n));
    expect(decided(unnamed)).toEqual([['CreditUnmatched', 'no_reference', null, '100']]);
    expect(decided(unnamed, unnamed)).toEqual([]);
    expect(decided(unnamed, settle(credit(100n), watch()))).toEqual([['CreditAllocated', null, 'pay_1', '100']]);
    expect(decided(unnamed, settle(credit(100n), watch({ due: 101n })))).toEqual([
      ['CreditUnmatched', 'short', 'pay_1', '100'],
    ]);
    expect(decided(unnamed, report('m1'))).toEqual([['MoneyReceived', 'no_reference', null, '100']]);
  });

  it('reports money in a shared wallet to each merchant, and once', () => {
    const { events } = given(settle(credit(100n)), report('m1', 'm2'));
    expect(events.map(({ data }) => data)).toMatchObject([
      { merchant_id: 'm1', shared_wallet: true },
      { merchant_id: 'm2', shared_wallet: true },
    ]);
    expect(decided(settle(credit(100n)), report('m1'), report('m1'))).toEqual([]);
    expect(decided(settle(credit(100n)), settle(credit(100n), watch()), report('m1'))).toEqual([]);
  });

  it('reports nothing of what the operating wallet of an owner has sent, and all that another one has', () => {
    const sent_by = (merchant_id: string): CreditCommand => ({
      ...{ type: 'ReportCredit', merchant_ids: ['m1', 'm2'], sent_by: merchant_id },
    });
    expect(decided(settle(credit(100n)), sent_by('m1'))).toEqual([]);
    expect(decided(settle(credit(100n)), sent_by('m3'))).toHaveLength(2);
  });

  it('says in which wallet the money is', () => {
    const { events } = given(settle(credit(100n)), report('m1'));
    expect(events).toMatchObject([{ data: { wallet: 'merchant', account: 'ata' } }]);
    expect(given(settle(credit(1n), watch())).state).toMatchObject({ money: { wallet: 'merchant' } });
  });

  it('still allocates reported money when its watch comes after all', () => {
    const reported = [settle(credit(100n)), report('m1')];
    expect(decided(...reported, settle(credit(100n), watch()))).toEqual([['CreditAllocated', null, 'pay_1', '100']]);
    expect(decided(...reported, settle(credit(100n), watch({ due: 101n })))).toEqual([]);
  });
});

describe('for any commands in any order', () => {
  const watches = fc.array(
    fc.record({
      payment: fc.integer({ min: 1, max: 4 }),
      due: fc.bigInt({ min: 1n, max: 300n }),
      state: fc.constantFrom<Watch['state'][]>('open', 'paid', 'closed'),
      mint: fc.constantFrom('USDC', 'FAKE'),
      expires_at_ms: fc.integer({ min: 99_000, max: 102_000 }),
    }),
    { maxLength: 4 },
  );
  const commands = fc.array(
    fc.oneof(
      watches.map((list) => ({ list })),
      fc.constant(null),
    ),
    { maxLength: 8 },
  );

  it('at most one payment gets the credit, and no more than the credit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 300n }), commands, (amount, script) => {
        const all: CreditEvent[] = [];
        let state: CreditState = creditDecider.initial;
        for (const step of script) {
          const command: CreditCommand = step
            ? settle(
                credit(amount),
                ...step.list.map(({ payment, ...terms }) => watch({ payment_id: `pay_${payment}`, ...terms })),
              )
            : report('m1');
          const decision: Decision<CreditEvent, never> = decide(creditDecider, command, state);
          if (!decision.ok) return false;
          all.push(...decision.events);
          state = decision.events.reduce(creditDecider.evolve, state);
        }
        const allocated = all.flatMap((event) => (event.type === 'CreditAllocated' ? [event.data] : []));
        const sum = allocated.reduce((total, money) => total + BigInt(money.amount), 0n);
        return allocated.length <= 1 && sum <= amount;
      }),
    );
  });
});
