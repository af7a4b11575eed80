import { outcomeOf, played } from '@tender/eventing/testing';
import { decide, type CommandOf } from '@tender/kernel';
import { paymentCaseDecider } from './decide-payment-case';
import type { KnownPaymentCase } from './payment-case';
import { disputeId, giveBack, openDispute, resolve, respond } from './testing/a-dispute';
import { completeRefund, failRefund, initiate, NOW, PAYMENT, refundId } from './testing/a-refund';

type Command = CommandOf<typeof paymentCaseDecider>;
const play = (...commands: readonly Command[]) => played(paymentCaseDecider, commands);
const known = (...commands: readonly Command[]) => play(...commands).state as KnownPaymentCase;
const decided = (command: Command, ...before: readonly Command[]) =>
  decide(paymentCaseDecider, command, play(...before).state);
const outcome = (command: Command, ...before: readonly Command[]) =>
  outcomeOf(decided(command, ...before));

describe('the table: every arrow that is not in it is refused by name', () => {
  const histories = {
    unknown: [],
    open: [openDispute()],
    under_review: [openDispute(), respond()],
    resolved_merchant_favor: [
      openDispute(),
      respond(),
      resolve(1, { resolution: 'resolved_merchant_favor' }),
    ],
    'resolved_customer_favor, by the merchant': [openDispute(), giveBack()],
    'resolved_customer_favor, by an admin': [
      openDispute(),
      resolve(1, { resolution: 'resolved_customer_favor' }),
    ],
    closed: [openDispute(), resolve()],
  } satisfies Record<string, readonly Command[]>;
  const commands = {
    'open with the same code': openDispute(2, { dispute: { opened_with: 'code 1' } }),
    'open another': openDispute(2),
    respond: respond(),
    'merchant gives back': giveBack(1, { refund_id: refundId(2) }),
    'admin: merchant_favor': resolve(1, { resolution: 'resolved_merchant_favor' }),
    'admin: customer_favor': resolve(1, { resolution: 'resolved_customer_favor' }),
    'admin: closed': resolve(1, { resolution: 'closed' }),
  };
  const OPENS = 'DisputeOpened';
  const RESPONDS = 'DisputeResponded';
  const ENDS = 'DisputeResolved';
  const REFUNDS = 'RefundInitiated, DisputeResolved';
  const USED = '! otp_invalid';
  const EXISTS = '! dispute_exists';
  const NONE = '! dispute_unknown';
  const OVER = '! dispute_already_resolved';
  const resolved = [USED, OPENS, OVER, OVER, OVER, OVER, OVER];
  const TABLE: Record<keyof typeof histories, readonly string[]> = {
    // the same code, another, respond, give back, merchant_favor, customer_favor, closed
    unknown: [OPENS, OPENS, NONE, NONE, NONE, NONE, NONE],
    open: [USED, EXISTS, RESPONDS, REFUNDS, ENDS, ENDS, ENDS],
    under_review: [USED, EXISTS, '! invalid_dispute_state', REFUNDS, ENDS, ENDS, ENDS],
    resolved_merchant_favor: resolved,
    'resolved_customer_favor, by the merchant': resolved,
    'resolved_customer_favor, by an admin': resolved,
    closed: resolved,
  };

  test.each(Object.keys(TABLE) as (keyof typeof histories)[])('%s', (name) => {
    const told = Object.values(commands).map((command) => outcome(command, ...histories[name]));
    expect(told).toEqual(TABLE[name]);
    const [first] = 'disputes' in play(...histories[name]).state ? known(...histories[name]).disputes : [];
    expect(first?.status ?? 'unknown').toBe(name.split(',')[0]);
  });
});

test('opened about a confirmed payment alone, by the wallet that paid where one is named', () => {
  for (const payment_status of ['pending', 'failed', 'expired'] as const) {
    expect(outcome(openDispute(1, { payment_status }))).toBe('! payment_not_disputable');
  }
  const named = (named_wallet: string | null) => outcome(openDispute(1, { named_wallet }));
  expect([named(PAYMENT.customer_wallet), named('another wallet')]).toEqual([
    'DisputeOpened',
    '! wallet_mismatch',
  ]);
});

test('a used code is refused before anything else is looked at (S28)', () => {
  const again = openDispute(2, {
    ...{ payment_status: 'expired', named_wallet: 'another wallet' },
    dispute: { opened_with: 'code 1' },
  });
  expect(outcome(again, openDispute())).toBe('! otp_invalid');
});

test('the dispute that is in the way is named', () => {
  const refused = decided(openDispute(2), openDispute());
  expect(refused).toMatchObject({ details: { dispute_id: disputeId() } });
});

test('another merchant finds no dispute; an admin finds that of any', () => {
  const merchant_id = 'another merchant';
  expect(outcome(respond(1, { merchant_id }), openDispute())).toBe('! dispute_unknown');
  expect(outcome({ ...giveBack(), merchant_id }, openDispute())).toBe('! dispute_unknown');
  expect(outcome(resolve(), openDispute())).toBe('DisputeResolved');
});

describe('with a refund, in one append (M1, M2, M23)', () => {
  test('the refund and the end name each other', () => {
    const { refunds, disputes } = known(openDispute(), respond(), giveBack());
    expect(disputes[0]).toMatchObject({
      status: 'resolved_customer_favor',
      response: { response: 'It was handed over.' },
      resolved: { refund_id: refundId(), resolved_by: 'merchant', notes: null, resolved_at: NOW },
    });
    expect(refunds[0]?.terms).toMatchObject({ refund_id: refundId(), dispute_id: disputeId() });
  });

  test('where the refund is refused the dispute stays as it is', () => {
    const refund_id = refundId(2);
    const busy = [openDispute(), initiate()];
    expect(outcome(giveBack(1, { refund_id }), ...busy)).toBe('! refund_in_progress');
    const spent = [openDispute(), initiate({ amount_usd_cents: '10000' }), completeRefund()];
    expect(outcome(giveBack(1, { refund_id }), ...spent)).toBe('! payment_already_refunded');
    const too_much = giveBack(1, { refund_id, amount_usd_cents: '7501' });
    const part = [openDispute(), initiate(), completeRefund()];
    expect(decided(too_much, ...part)).toMatchObject({
      refusal: 'refund_amount_exceeds_remaining',
      details: { remaining_usd: 75 },
    });
    const held = giveBack(1, {}, { hold: 'held' });
    expect(outcome(held, openDispute())).toBe('! payment_not_refundable');
    expect(known(openDispute(), held).disputes[0]?.status).toBe('open');
  });

  test('a refund that fails leaves the dispute resolved, and its part free', () => {
    const { disputes } = known(openDispute(), giveBack(), failRefund());
    expect(disputes[0]?.status).toBe('resolved_customer_favor');
    const again = initiate({ refund_id: refundId(2), amount_usd_cents: '10000' });
    expect(outcome(again, openDispute(), giveBack(), failRefund())).toBe('RefundInitiated');
  });

  test('an admin refunds with any outcome that it is sent with', () => {
    const refund = giveBack().refund;
    expect(outcome(resolve(1, { refund }), openDispute())).toBe('RefundInitiated, DisputeResolved');
  });
});

test('after a resolution another dispute may be opened, and both are kept', () => {
  const { disputes } = known(openDispute(), resolve(), openDispute(2));
  expect(disputes.map(({ status }) => status)).toEqual(['closed', 'open']);
});

test('each event alone tells the dispute as it is after it', () => {
  const { events, state } = play(openDispute(), respond(), resolve());
  const last = events.at(-1) as never;
  const alone = paymentCaseDecider.evolve({ status: 'unknown' }, last) as KnownPaymentCase;
  expect(alone.disputes).toEqual((state as KnownPaymentCase).disputes);
});

test('an event of a later release changes nothing', () => {
  const before = known(openDispute());
  const later = { type: 'DisputeEscalated', data: {} } as never;
  expect(paymentCaseDecider.evolve(before, later)).toBe(before);
});
