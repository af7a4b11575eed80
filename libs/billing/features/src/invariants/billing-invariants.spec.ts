import type { DomainEvent } from '@tender/eventing';
import { checkedObject, findingsOf } from '@tender/eventing/testing';
import plans from '../../../domain/src/recorded/installment-plan-v1.json';
import books from '../../../domain/src/recorded/invoice-book-v1.json';
import invoices from '../../../domain/src/recorded/invoice-v1.json';
import subscriptions from '../../../domain/src/recorded/subscription-v1.json';
import { recordedLife } from '../testing/recorded-lives';
import { installmentInvariants } from './installment-invariants';
import { invoiceInvariants } from './invoice-invariants';
import { subscriptionInvariants } from './subscription-invariants';

interface WithData {
  readonly type: string;
  readonly data: object;
}

/** The event, with other data. */
const but = (event: WithData, data: object): DomainEvent => ({
  ...event,
  data: { ...event.data, ...data },
});

describe('subscriptions', () => {
  const {
    SubscriptionCreated: created,
    SubscriptionRenewed: renewed,
    SubscriptionPeriodOpened: opened,
    SubscriptionCancelled: cancelled,
    SubscriptionChargeDue: due,
  } = subscriptions;
  const id = created.data.terms.subscription_id;
  const found = (...events: readonly DomainEvent[]) =>
    findingsOf(subscriptionInvariants, {
      objects: [checkedObject(`subscription.test-${id}`, events)],
    });

  test('the recorded life breaks nothing', async () => {
    expect(await found(...recordedLife('subscription'))).toEqual([]);
  });

  const paid_by = { payment_id: 'pay_test_other', paid_at: renewed.data.paid_by.paid_at };
  const plan = { ...created.data.terms.plan, max_cycles: 1 };
  const once = but(renewed, { terms: { ...created.data.terms, plan } });
  test.each([
    [[created, renewed, but(renewed, { paid_by })], 'period 1 is paid twice'],
    [
      [created, renewed, opened, but(renewed, { period_number: 2 })],
      `${renewed.data.paid_by.payment_id} pays two periods`,
    ],
    [[created, once, opened, but(once, { period_number: 2, paid_by })], '2 periods are paid of 1'],
    [[created, cancelled, due], 'SubscriptionChargeDue after its end'],
  ])('M26 (%#)', async (events, says) => {
    expect(await found(...events)).toEqual([`M26: ${says}`]);
  });

  const { calendar } = opened.data;
  test.each([
    [but(opened, { period_number: 3 }), 'period 3 opens after period 1'],
    [
      but(opened, { calendar: { ...calendar, start: '2026-02-28T11:59:59.999Z' } }),
      'period 2 begins before 2026-02-28T12:00:00.000Z',
    ],
    [
      but(opened, { calendar: { ...calendar, end: calendar.start } }),
      'period 2 ends before it begins',
    ],
  ])('M27 (%#)', async (event, says) => {
    expect(await found(created, renewed, event)).toEqual([`M27: ${says}`]);
  });
});

describe('installment plans', () => {
  const {
    InstallmentPlanCreated: created,
    InstallmentCharged: charged,
    InstallmentLate: late,
    InstallmentPaid: paid,
    InstallmentDefaulted: defaulted,
  } = plans;
  const { terms } = created.data;
  const found = (...events: readonly DomainEvent[]) =>
    findingsOf(installmentInvariants, {
      objects: [checkedObject(`installment.test-${terms.plan_id}`, events)],
    });

  test('the recorded life breaks nothing', async () => {
    expect(await found(...recordedLife('installment-plan'))).toEqual([]);
  });

  const other = { payment_id: 'pay_test_other', paid_at: paid.data.paid_by.paid_at };
  test.each([
    [
      [but(created, { terms: { ...terms, total_usd_cents: '10000' } })],
      'its installments sum to 10001 cents, its total is 10000',
    ],
    [[created, late, paid, but(paid, { paid_by: other })], 'installment 1 is paid twice'],
    [
      [created, late, paid, but(paid, { installment_number: 2, amount_usd_cents: '5001' })],
      `${paid.data.paid_by.payment_id} pays two installments`,
    ],
    [[created, late, late], 'installment 1 has two late fees'],
    [
      [created, but(late, { amount_usd_cents: '6000' })],
      'installment 1 owes more than its share and one fee',
    ],
    [[created, paid], 'installment 1 is paid with 5500 cents'],
    [[created, defaulted, charged], 'InstallmentCharged after InstallmentDefaulted'],
  ])('M28 (%#)', async (events, says) => {
    expect(await found(...events)).toEqual([`M28: ${says}`]);
  });
});

describe('invoices', () => {
  const {
    InvoiceDrafted: drafted,
    InvoiceCreated: created,
    InvoicePaid: paid,
    CancelledInvoicePaid: late_paid,
  } = invoices;
  const { terms } = drafted.data;
  const { InvoiceNumberTaken: number } = books;
  const BOOK = `${terms.merchant_id}:2026` as const;
  const invoice = (...events: readonly DomainEvent[]) =>
    checkedObject(`invoice.test-${terms.invoice_id}`, events);
  const taken = (sequence: number, invoice_id = `inv_${sequence}`): DomainEvent =>
    but(number, { sequence, invoice_id, book: Math.floor((sequence - 1) / 100) });
  const book = (nr: number, ...events: readonly DomainEvent[]) =>
    checkedObject(`invoicebook.test-${BOOK}:${nr}`, events);
  const first_book = book(0, ...Array.from({ length: 100 }, (_, at) => taken(at + 1)));
  const tens = [101, 102, 103, 104, 105, 106].map((one) => taken(one));
  const second_book = book(1, ...tens, taken(107, terms.invoice_id));

  const found = (objects: readonly ReturnType<typeof book>[]) =>
    findingsOf(invoiceInvariants, { objects });

  test('the recorded lives break nothing', async () => {
    const { CancelledInvoicePaid: _, ...life } = invoices;
    expect(await found([invoice(...Object.values(life)), second_book])).toEqual([]);
    expect(await found([second_book, first_book])).toEqual([]);
    expect(await found([first_book])).toEqual([]);
  });

  test('M31: paid twice, or for another sum than that of its items', async () => {
    expect(await found([invoice(drafted, paid, late_paid)])).toEqual(['M31: it is paid 2 times']);
    const dearer = but(drafted, { terms: { ...terms, amount_usd_cents: '10051' } });
    expect(await found([invoice(dearer)])).toEqual([
      'M31: its items sum to 10050 cents, its amount is 10051',
    ]);
  });

  test.each([
    [[book(0, taken(1), taken(3))], 'number 3 is in the place of another'],
    [[book(0, taken(1, 'a'), taken(2, 'a'))], 'an invoice has two of its numbers'],
    [[second_book, book(0, taken(1))], 'the book before it has 1 numbers'],
  ])('M30: a book with a gap or a double (%#)', async (objects, says) => {
    expect(await found(objects)).toEqual([`M30: ${says}`]);
  });

  test('M30: an invoice with the number of another, or that shows another one', async () => {
    expect(await found([invoice(drafted, created), book(1, ...tens, taken(107, 'a'))])).toEqual([
      'M30: number 107 is not its own',
    ]);
    const after = { ...created.data.after, invoice_number: 'INV-2026-000108' };
    expect(await found([invoice(drafted, but(created, { after })), second_book])).toEqual([
      'M30: it shows INV-2026-000108, its number is INV-2026-000107',
    ]);
  });
});
