import { decide, type CommandOf } from '@tender/kernel';
import fc from 'fast-check';
import { invoiceDecider } from './decide-invoice';
import { UNKNOWN_INVOICE, type Invoice, type InvoiceEvent, type KnownInvoice } from './invoice';
import { invoiceDueAt, linkUsesOf } from './invoice-times';
import {
  advanceInvoice as advance,
  askLink,
  cancelInvoice as cancel,
  draft,
  LINK,
  numberInvoice as number,
  payInvoice as pay,
  remind,
  send,
} from './testing/an-invoice';
import { outcomeOf, played } from '@tender/eventing/testing';

type Command = CommandOf<typeof invoiceDecider>;
const play = (...commands: readonly Command[]) => played(invoiceDecider, commands);
const known = (...commands: readonly Command[]) => play(...commands).state as KnownInvoice;
const NOW = '2026-01-02T10:00:00.000Z';
const OVERDUE = '2026-02-01T00:00:00.000Z';
const turn = (full_book: number): Command => ({ type: 'TurnInvoiceBook', full_book });
const sent = [draft(), number(), send(NOW)];

describe('the table: every arrow that is not in it is refused by name', () => {
  const histories = {
    unknown: [],
    unnumbered: [draft()],
    draft: [draft(), number()],
    'draft, link asked': [draft(), number(), askLink],
    sent,
    overdue: [...sent, advance(OVERDUE)],
    paid: [...sent, pay(NOW)],
    'paid, overdue': [...sent, advance(OVERDUE), pay(OVERDUE)],
    cancelled: [...sent, cancel(NOW)],
    'cancelled, never sent': [draft(), number(), cancel(NOW)],
    'cancelled, paid': [...sent, cancel(NOW), pay(NOW)],
  } satisfies Record<string, readonly Command[]>;
  const commands = {
    draft: draft(),
    'book full': turn(0),
    number: number(),
    'link asked': askLink,
    send: send(NOW),
    remind: remind(NOW),
    night: advance(OVERDUE),
    paid: pay(OVERDUE, 'pay_test_other'),
    cancel: cancel(OVERDUE),
  };
  const NONE = '! invoice_unknown';
  const BARE = '! invoice_unnumbered';
  const EXISTS = '! invoice_exists';
  const WRONG = '! invalid_invoice_state';
  const TWICE = '! invoice_already_sent';
  const PAID = '! invoice_already_paid';
  const ENDED = '! invoice_not_cancellable';
  const N = 'nothing';
  const TURNS = 'InvoiceBookTurned';
  const LATE = 'InvoiceOverdue';
  const PAYS = 'InvoicePaid';
  const ENDS = 'InvoiceCancelled';
  const COUNTS = 'CancelledInvoicePaid';
  const DRAFTED = 'InvoiceDrafted';
  const MADE = 'InvoiceCreated';
  const SENT = 'InvoiceSent';
  const ASKS = 'InvoiceLinkAsked';
  const AGAIN = 'InvoiceReminded';
  const TABLE: Record<keyof typeof histories, readonly string[]> = {
    // draft, book full, number, link asked, send, remind, night, paid, cancel
    unknown: [DRAFTED, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    unnumbered: [EXISTS, TURNS, MADE, BARE, BARE, BARE, BARE, BARE, BARE],
    draft: [EXISTS, N, N, ASKS, SENT, WRONG, N, WRONG, ENDS],
    'draft, link asked': [EXISTS, N, N, N, SENT, WRONG, N, PAYS, ENDS],
    sent: [EXISTS, N, N, WRONG, TWICE, AGAIN, LATE, PAYS, ENDS],
    overdue: [EXISTS, N, N, WRONG, TWICE, AGAIN, N, PAYS, ENDS],
    paid: [EXISTS, N, N, WRONG, WRONG, WRONG, N, PAID, ENDED],
    'paid, overdue': [EXISTS, N, N, WRONG, WRONG, WRONG, N, PAID, ENDED],
    cancelled: [EXISTS, N, N, WRONG, WRONG, WRONG, N, COUNTS, ENDED],
    'cancelled, never sent': [EXISTS, N, N, WRONG, WRONG, WRONG, N, WRONG, ENDED],
    'cancelled, paid': [EXISTS, N, N, WRONG, WRONG, WRONG, N, PAID, ENDED],
  };
  test.each(Object.keys(TABLE) as (keyof typeof histories)[])('%s', (name) => {
    const { state } = played(invoiceDecider, histories[name]);
    expect(state.status).toBe(name.replace(/,.*/, ''));
    const outcomes = Object.values(commands).map((command) =>
      outcomeOf(decide(invoiceDecider, command, state)),
    );
    expect(outcomes).toEqual(TABLE[name]);
  });
  test('a payment that is heard of again pays nothing again', () => {
    expect(play(...histories.paid, pay(NOW)).told.at(-1)).toBe('nothing');
    expect(play(...histories['cancelled, paid'], pay(NOW)).told.at(-1)).toBe('nothing');
  });
  test('what is paid after a cancel counts, and it stays cancelled', () =>
    expect(known(...histories['cancelled, paid'])).toMatchObject({
      ...{ status: 'cancelled', paid_by: { payment_id: 'pay_test_1', paid_at: NOW } },
    }));
});

describe('draft', () => {
  const outcome = (...[changes, amount_max]: Parameters<typeof draft>) => {
    const decision = decide(invoiceDecider, draft(changes, amount_max), UNKNOWN_INVOICE);
    return decision.ok ? 'drafted' : [decision.refusal, decision.details];
  };
  test('line items that do not sum to the amount', () => {
    const details = { amount_usd: 100.51, line_items_total_usd: 100.5 };
    expect(outcome({ amount_usd_cents: '10051' })).toEqual(['invoice_amount_mismatch', details]);
    expect(outcome({ line_items: [] })).toEqual([
      ...['invoice_amount_mismatch', { amount_usd: 100.5, line_items_total_usd: 0 }],
    ]);
    expect(outcome({ line_items: null })).toBe('drafted');
  });
  test('more than the merchant may ask for', () =>
    expect(outcome({}, 10_049n)).toEqual(['amount_too_large', { amount_max_usd: 100.49 }]));
  test('an amount in NGN only for the on-ramp', () => {
    expect(outcome({ amount_ngn: '150000' })).toEqual(['amount_ngn_without_onramp', undefined]);
    expect(outcome({ amount_ngn: '150000', onramp: true })).toBe('drafted');
  });
});

describe('number', () => {
  test('is that of its year, and no other', () => {
    expect(known(draft(), number(42)).invoice_number).toBe('INV-2026-000042');
    expect(play(draft(), number(42), number(42), number(43)).told.slice(1)).toEqual([
      ...['InvoiceCreated', 'nothing', '! invoice_number_differs'],
    ]);
  });
  test('a book is turned once', () => {
    const { told, state } = play(draft(), turn(0), turn(0), turn(1));
    expect(told.slice(1)).toEqual(['InvoiceBookTurned', 'nothing', 'InvoiceBookTurned']);
    expect(state).toMatchObject({ status: 'unnumbered', book: 2 });
  });
});

describe('overdue, in the night after its due date', () => {
  test.each([
    ['2026-01-31T09:00:00.000Z', NOW, '2026-02-01T00:00:00.000Z'],
    ['2026-01-31T00:00:00.000Z', NOW, '2026-02-01T00:00:00.000Z'],
    ['2026-01-31T23:59:59.999Z', NOW, '2026-02-01T00:00:00.000Z'],
    ['2028-02-28T12:00:00.000Z', NOW, '2028-02-29T00:00:00.000Z'],
    ['2025-12-01T00:00:00.000Z', NOW, '2026-01-03T00:00:00.000Z'],
    [null, NOW, null],
  ])('due %s, sent %s: %s', (due_date, sent_at, at) => {
    expect(invoiceDueAt(known(draft({ due_date }), number(), send(sent_at)))).toBe(at);
  });
  test('only while it is sent', () => {
    expect(invoiceDueAt(known(draft(), number()))).toBeNull();
    expect(invoiceDueAt(known(...sent, pay(NOW)))).toBeNull();
    expect(invoiceDueAt(known(...sent, advance(OVERDUE)))).toBeNull();
  });
  test('a timer that looks too early', () =>
    expect(play(...sent, advance('2026-01-31T23:59:59.999Z')).told.at(-1)).toBe('! not_due_yet'));
});

describe('reminders', () => {
  const at = (...times: readonly string[]) =>
    play(...sent, ...times.map((time) => remind(`2026-01-${time}.000Z`))).told.slice(3);
  const GOES = 'InvoiceReminded';
  const WAITS = '! too_many_reminders';
  test.each([
    ['an hour apart', [GOES, WAITS, GOES], ['10T10:00:00', '10T10:59:59', '10T11:00:00']],
    [
      'three times in 24 hours, of which none that was refused counts',
      [GOES, GOES, GOES, WAITS, WAITS, GOES, WAITS, GOES],
      ['10T10:00:00', '10T12:00:00', '10T20:00:00', '10T22:00:00', '11T09:59:59', '11T10:00:00', '11T11:59:59', '11T12:00:00'],
    ],
    ['an hour after the last, though a day after the first', [GOES, GOES, GOES, WAITS], ['10T10:00:00', '10T12:00:00', '11T09:50:00', '11T10:40:00']],
  ] as const)('%s', (_, outcomes, times) => {
    expect(at(...times)).toEqual(outcomes);
  });
  test('a refusal says when the next one can go', () => {
    const { state } = played(invoiceDecider, [...sent, remind('2026-01-10T10:00:00.000Z')]);
    expect(decide(invoiceDecider, remind('2026-01-10T10:00:00.000Z'), state)).toMatchObject({
      details: { next_reminder_at: '2026-01-10T11:00:00.000Z' },
    });
  });
});

test('its link takes one payment, unless the merchant said otherwise', () => {
  expect(linkUsesOf(known(...sent))).toBe(1);
  expect(linkUsesOf(known(draft({ payment_link_max_uses: 3 }), number()))).toBe(3);
  expect(known(...sent).link).toEqual(LINK);
});

test('whatever comes in whatever order: numbered, sent and paid once at most, with one end', () => {
  const commands = fc.constantFrom<Command>(
    ...[draft(), turn(0), number(), number(8), askLink, send(NOW), remind(NOW), advance(OVERDUE)],
    ...[pay(NOW), pay(NOW, 'pay_test_2'), cancel(NOW)],
  );
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 30 }), (steps) => {
      let state: Invoice = UNKNOWN_INVOICE;
      const events: InvoiceEvent[] = [];
      for (const step of steps) {
        const decision = decide(invoiceDecider, step, state);
        if (!decision.ok) continue;
        events.push(...decision.events);
        state = decision.events.reduce<Invoice>(invoiceDecider.evolve, state);
      }
      const count = (pattern: RegExp) => events.filter(({ type }) => pattern.test(type)).length;
      const ends = /^Invoice(Paid|Cancelled)/;
      for (const once of [/Drafted/, /Created/, /InvoiceSent/, /Overdue/, /Paid/, ends]) {
        expect(count(once)).toBeLessThanOrEqual(1);
      }
    }),
  );
});
