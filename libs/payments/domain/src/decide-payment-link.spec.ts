import { specificationOf } from '@tender/eventing/testing';
import { decide } from '@tender/kernel';
import fc from 'fast-check';
import {
  paymentLinkDecider,
  type ClosePaymentLink,
  type CreatePaymentLink,
  type HoldLinkUse,
  type ReleaseLinkUse,
  type TakeLinkUse,
} from './decide-payment-link';
import {
  UNKNOWN_PAYMENT_LINK,
  usesTaken,
  type LinkTerms,
  type LinkUseHeld,
  type PaymentLink,
  type PaymentLinkCreated,
  type PaymentLinkEvent,
} from './payment-link';
import history from './recorded/payment-link-v1.json';

const given = specificationOf(paymentLinkDecider);
const recorded = history as unknown as Record<PaymentLinkEvent['type'], PaymentLinkEvent>;
const { LinkUseReleased, PaymentLinkUsed, PaymentLinkClosed } = recorded;
const PaymentLinkCreated = recorded.PaymentLinkCreated as PaymentLinkCreated;
const LinkUseHeld = recorded.LinkUseHeld as LinkUseHeld;
const { link } = PaymentLinkCreated.data;
const { payment } = LinkUseHeld.data;
const { payment_id } = payment.terms;

const created = (changes: Partial<LinkTerms>): PaymentLinkCreated => ({
  ...{ type: 'PaymentLinkCreated', data: { link: { ...link, ...changes }, customer: null } },
});
const paymentNumber = (n: number): HoldLinkUse['payment'] => ({
  ...{ ...payment, terms: { ...payment.terms, payment_id: `pay_test_${n}` } },
});
const holder = { held_by: 'h1', holds_max: 20 };
const Held: LinkUseHeld = { ...LinkUseHeld, data: { ...LinkUseHeld.data, held_by: 'h1' } };
const hold = (changes: Partial<HoldLinkUse> = {}): HoldLinkUse => ({
  ...{ type: 'HoldLinkUse', payment, amount_max: 99_999_999n, now: '2026-01-01T00:00:00.000Z' },
  holder,
  ...changes,
});
const release = (id = payment_id): ReleaseLinkUse => ({
  ...{ type: 'ReleaseLinkUse', payment_id: id, released_at: '2026-01-01T00:15:01.000Z' },
});
const take = (id = payment_id): TakeLinkUse => ({
  ...{ type: 'TakeLinkUse', payment_id: id, used_at: '2026-01-01T00:03:21.000Z' },
});
const close: ClosePaymentLink = { type: 'ClosePaymentLink', closed_at: '2026-01-02T00:00:00.000Z' };

describe('create', () => {
  const create = (amount_max: bigint): CreatePaymentLink => ({
    ...{ type: 'CreatePaymentLink', link: PaymentLinkCreated.data, amount_max },
  });
  test('of what is allowed', () => given().when(create(1001n)).then(PaymentLinkCreated));
  test('above the maximum', () => given().when(create(1000n)).thenRefused('amount_too_large'));
  test('of one that exists', () =>
    given(PaymentLinkCreated).when(create(1001n)).thenRefused('payment_link_exists'));
});

describe('hold', () => {
  test('takes a use', () => given(PaymentLinkCreated).when(hold()).then(Held));
  test('of one that there is not', () => given().when(hold()).thenRefused('payment_link_unknown'));
  test('above the maximum of the merchant', () =>
    given(PaymentLinkCreated).when(hold({ amount_max: 1080n })).thenRefused('amount_too_large'));
  test('from the time of its expiry on', () => {
    const { expires_at: now } = link as { expires_at: string };
    given(PaymentLinkCreated).when(hold({ now })).thenRefused('payment_link_expired');
  });
  test('not for a payment that would have expired before it begins', () => {
    const link_for_a_day = created({ payments_expire_at: '2026-01-02T00:00:00.000Z' });
    const late = hold({ now: '2026-01-02T00:00:00.000Z' });
    given(link_for_a_day).when(late).thenRefused('payment_link_expired');
  });
  test('of a closed one', () =>
    given(PaymentLinkCreated, PaymentLinkClosed).when(hold()).thenRefused('payment_link_closed'));
  test('none that a pending payment holds; it may be free when that expires', () =>
    given(created({ max_uses: 1 }), LinkUseHeld)
      .when(hold({ payment: paymentNumber(2) }))
      .thenRefused('payment_link_exhausted', { free_at: '2026-01-01T00:15:00.000Z' }));
  test('none that was used; it is never free again', () => {
    const { decision } = given(created({ max_uses: 1 }), LinkUseHeld, PaymentLinkUsed).when(hold());
    expect(decision).toEqual({ ok: false, refusal: 'payment_link_exhausted', details: {} });
  });
  test('one that was given back', () =>
    given(created({ max_uses: 1 }), LinkUseHeld, LinkUseReleased).when(hold()).then(Held));
});

describe('a link that stands for one thing', () => {
  const one = created({ max_uses: 1, is_for_one_thing: true });
  const again = (now?: string) => hold({ payment: paymentNumber(2), ...(now ? { now } : {}) });
  test('has one open payment, which answers the next who pays', () =>
    given(one, LinkUseHeld).when(again()).thenRefused('payment_open', { payment_id }));
  test('whose payment is past its time waits for the chain', () =>
    given(one, LinkUseHeld)
      .when(again('2026-01-01T00:15:00.000Z'))
      .thenRefused('payment_link_exhausted'));
  test('makes another when the open one has expired', () =>
    given(one, LinkUseHeld, LinkUseReleased).when(hold()).then(Held));
  test('is used up by one', () =>
    given(one, LinkUseHeld, PaymentLinkUsed).when(again()).thenRefused('payment_link_exhausted'));
  test('and closed answers no payment', () =>
    given(one, LinkUseHeld, PaymentLinkClosed).when(again()).thenRefused('payment_link_closed'));
});

describe('what became of the payment', () => {
  test('confirmed: the hold is a use', () =>
    given(PaymentLinkCreated, LinkUseHeld).when(take()).then(PaymentLinkUsed));
  test('ended without money: the use is free', () =>
    given(PaymentLinkCreated, LinkUseHeld).when(release()).then(LinkUseReleased));
  test('told again: nothing more', () => {
    given(PaymentLinkCreated, LinkUseHeld, PaymentLinkUsed).when(take()).then();
    given(PaymentLinkCreated, LinkUseHeld, PaymentLinkUsed).when(release()).then();
    given(PaymentLinkCreated, LinkUseHeld, LinkUseReleased).when(release()).then();
  });
  test('of a closed link it counts as before', () =>
    given(PaymentLinkCreated, LinkUseHeld, PaymentLinkClosed).when(take()).then(PaymentLinkUsed));
  test('of a link that there is not', () => {
    given().when(take()).thenRefused('payment_link_unknown');
    given().when(release()).thenRefused('payment_link_unknown');
  });
});

describe('close', () => {
  test('once', () => given(PaymentLinkCreated).when(close).then(PaymentLinkClosed));
  test('twice is closed', () => given(PaymentLinkCreated, PaymentLinkClosed).when(close).then());
  test('of one that there is not', () => given().when(close).thenRefused('payment_link_unknown'));
});

test.each([
  // Of uses, with a bound of so many: what one address may hold.
  [9, 2, 3],
  [8, 2, 2],
  [3, 20, 3],
  [100, 20, 25],
])('of %d uses, with a bound of %d, one address holds %d; another is not held up', (max_uses, holds_max, most) => {
  const { evolve } = paymentLinkDecider;
  let state = evolve(UNKNOWN_PAYMENT_LINK, created({ max_uses }));
  const holding = (n: number, held_by: string) => {
    const wanted = { payment: paymentNumber(n), holder: { held_by, holds_max } };
    return decide(paymentLinkDecider, hold(wanted), state);
  };
  let held = 0;
  for (let decision = holding(0, 'a'); decision.ok; decision = holding(held, 'a')) {
    state = decision.events.reduce(evolve, state);
    held += 1;
  }
  expect(held).toBe(most);
  const is_full = held === max_uses;
  expect(holding(held, 'a')).toMatchObject({
    refusal: is_full ? 'payment_link_exhausted' : 'too_many_open_payments',
    details: { free_at: payment.terms.expires_at },
  });
  expect(holding(held, 'b').ok).toBe(!is_full);
  for (const ending of [take('pay_test_0'), release('pay_test_1')]) {
    const ended = decide(paymentLinkDecider, ending, state);
    if (ended.ok) state = ended.events.reduce(evolve, state);
  }
  expect(holding(held, 'a').ok).toBe(true);
});

test('holds and uses never exceed max_uses, and no use is lost, in whatever order things happen', () => {
  const step = fc.record({ n: fc.nat(11), what: fc.constantFrom('hold', 'take', 'release') });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (max, steps) => {
      const link_for_max = created({ max_uses: max });
      let state: PaymentLink = paymentLinkDecider.evolve(UNKNOWN_PAYMENT_LINK, link_for_max);
      const pending = new Set<string>();
      const confirmed = new Set<string>();
      for (const { n, what } of steps) {
        const id = `pay_test_${n}`;
        const is_new = !pending.has(id) && !confirmed.has(id);
        // A payment that has ended does not begin again.
        if (what === 'hold' ? !is_new : !pending.has(id)) continue;
        const held = hold({ payment: paymentNumber(n) });
        const command = { hold: held, take: take(id), release: release(id) }[what as 'hold'];
        const decision = decide(paymentLinkDecider, command, state);
        const has_room = pending.size + confirmed.size < max;
        expect(decision.ok).toBe(what !== 'hold' || has_room);
        if (!decision.ok) continue;
        if (what === 'hold') pending.add(id);
        else pending.delete(id);
        if (what === 'take') confirmed.add(id);
        state = decision.events.reduce(paymentLinkDecider.evolve, state);
        expect(usesTaken(state as never)).toBe(pending.size + confirmed.size);
      }
      expect(confirmed.size).toBeLessThanOrEqual(max);
    }),
  );
});
