import type { DomainEvent } from '@tender/eventing';
import { checkedObject, findingsOf } from '@tender/eventing/testing';
import refunds from '../../../domain/src/recorded/refund-v1.json';
import { refundInvariants } from './refund-invariants';

const { RefundInitiated, RefundSent, RefundCompleted, RefundFailed } = refunds;
const terms = RefundInitiated.data.refund;
const { refund_id: id, payment_id } = terms;
const signature = RefundSent.data.transaction_signature;
const OTHER = '0190a1b2-c3d4-8e5f-a6b7-c8d9e0f1a2b4';

interface WithRefund {
  readonly type: string;
  readonly data: { readonly refund: object };
}
/** The event, of a refund on other terms. */
const on = (changes: object, { type, data }: WithRefund, more: object = {}): DomainEvent => ({
  type,
  data: { ...data, refund: { ...data.refund, ...changes }, ...more },
});
const other = (event: WithRefund, changes: object = {}, more: object = {}) =>
  on({ refund_id: OTHER, ...changes }, event, more);
type World = Parameters<typeof findingsOf>[1];
const found = (events: readonly DomainEvent[], chains: World['chains'] = null) =>
  findingsOf(refundInvariants, { objects: [checkedObject(`case.test-${payment_id}`, events)], chains });

const completed = [RefundInitiated, RefundSent, RefundCompleted];
const resolved = (refund_id: string | null): DomainEvent => ({
  type: 'DisputeResolved',
  data: { dispute: { dispute_id: 'D1' }, response: null, resolved: { refund_id } },
});

test('the recorded lives break nothing', async () => {
  expect(await found(completed)).toEqual([]);
  expect(await found([RefundInitiated, RefundSent, RefundFailed])).toEqual([]);
  const again = other(RefundInitiated, { amount_usd_cents: '10000', token_amount: '100000000' });
  expect(await found([RefundInitiated, RefundFailed, again])).toEqual([]);
});

test.each<[string, readonly DomainEvent[]]>([
  [
    'M1: 10100 cents are refunded of 10000',
    [...completed, other(RefundInitiated, { amount_usd_cents: '7550', token_amount: '1' })],
  ],
  [
    'M1: 100000001 base units are refunded of 100000000',
    [...completed, other(RefundInitiated, { amount_usd_cents: '1', token_amount: '74500001' })],
  ],
  [
    `M2: ${id} and ${OTHER} are under way at once`,
    [RefundInitiated, other(RefundInitiated, { amount_usd_cents: '1', token_amount: '1' })],
  ],
  [`M3: RefundFailed of ${id} after RefundCompleted`, [...completed, RefundFailed]],
  [
    `M3: ${signature} completes two`,
    [
      ...completed,
      other(RefundInitiated, { amount_usd_cents: '1', token_amount: '1' }),
      other(RefundCompleted, { amount_usd_cents: '1', token_amount: '1' }),
    ],
  ],
  [
    `M4: its refunds go to ${terms.customer_wallet} and Elsewhere`,
    [RefundInitiated, on({ customer_wallet: 'Elsewhere' }, RefundSent)],
  ],
  [`M23: ${id} is for D1, which it has not resolved`, [on({ dispute_id: 'D1' }, RefundInitiated)]],
  [
    `M23: D1 is resolved with ${id}, which is not for it`,
    [RefundInitiated, resolved(id)],
  ],
])('%s', async (says, events) => {
  expect(await found(events)).toEqual([says]);
});

test('M23: a dispute with its refund, and one without', async () => {
  expect(await found([on({ dispute_id: 'D1' }, RefundInitiated), resolved(id)])).toEqual([]);
  expect(await found([...completed, resolved(null)])).toEqual([]);
});

test('of twice as many refunds it is twice as much to look at', async () => {
  let read = 0;
  const amounts = {
    get amount_usd_cents(): string {
      read += 1;
      return '1';
    },
    token_amount: '1',
  };
  const lookedAt = async (count: number): Promise<number> => {
    const events = Array.from({ length: count }, (_, place) => {
      const refund = Object.defineProperties({}, {
        ...Object.getOwnPropertyDescriptors({ ...terms, refund_id: `refund ${place}` }),
        ...Object.getOwnPropertyDescriptors(amounts),
      }) as object;
      const transaction_signature = `transaction ${place}`;
      return [RefundInitiated, RefundCompleted].map(({ type, data }) => {
        return { type, data: { ...data, refund, transaction_signature } };
      });
    });
    read = 0;
    expect(await found(events.flat())).toEqual([]);
    return read;
  };
  const of_hundred = await lookedAt(100);
  expect(await lookedAt(200)).toBe(2 * of_hundred);
});

describe('M3 on the chain', () => {
  const chains = (failed: boolean) => {
    const chain = { transaction: async () => ({ failed, changes: [] }), mints: {} };
    return { test: chain, live: chain } as unknown as NonNullable<World['chains']>;
  };
  const sent = { transaction_signature: signature };
  const failed = { ...RefundFailed, data: { ...RefundFailed.data, ...sent } };
  test('a completed one whose transaction has failed', async () => {
    expect(await found(completed, chains(false))).toEqual([]);
    expect(await found(completed, chains(true))).toEqual([
      `M3: ${id} is completed, and its transaction has failed`,
    ]);
  });
  test('a failed one whose transaction has landed', async () => {
    expect(await found([RefundInitiated, RefundSent, failed], chains(true))).toEqual([]);
    expect(await found([RefundInitiated, RefundSent, failed], chains(false))).toEqual([
      `M3: ${id} is failed, and its transaction has landed`,
    ]);
  });
});

test('M17: nothing of another mode', async () => {
  const live = checkedObject(`case.live-${payment_id}`, [RefundInitiated]);
  expect(await findingsOf(refundInvariants, { objects: [live] })).toEqual([
    'M17: its id is of test mode, its stream of live',
  ]);
});
