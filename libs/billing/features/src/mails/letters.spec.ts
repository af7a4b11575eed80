import type { StoredEvent } from '@tender/eventing';
import { recordedLife, type LifeChanges, type LifeNoun } from '../testing/recorded-lives';
import { letterOf } from './letter-of';

/** The subject of the mail of each event of a recorded life, by the event's type. */
function subjectsOf(noun: LifeNoun, changes: LifeChanges = {}) {
  const life = recordedLife(noun, changes);
  return life.flatMap(({ type }, index) => {
    const letter = letterOf(life.slice(0, index + 1) as StoredEvent[]);
    return letter ? [[type, letter.says('ỌJÀ', 'Ada').subject]] : [];
  });
}

/** All that the mail of the first event of that type says, as text. */
function textOf(noun: LifeNoun, type: string, changes: LifeChanges = {}): string {
  const life = recordedLife(noun, changes);
  const until = life.findIndex((event) => event.type === type);
  const letter = letterOf(life.slice(0, until + 1) as StoredEvent[]);
  const said = letter?.says('ỌJÀ', 'Ada');
  const texts = said?.parts.flatMap((part) => {
    if (part.kind === 'paragraph') return [part.text];
    if (part.kind === 'action') return [`[${part.label}] ${part.url}`];
    return part.rows.map(({ label, value }) => `${label}: ${value}`);
  });
  return [said?.title, ...(texts ?? []), said?.why].join('\n').replaceAll(/[\u00a0\u202f]/g, ' ');
}

const EN = { terms: { locale: 'en' } };
const FR = { terms: { locale: 'fr' } };

test('an invoice: when it is sent and when it is reminded of', () => {
  expect(subjectsOf('invoice', EN)).toEqual([
    ['InvoiceSent', 'Invoice INV-2026-000107 from ỌJÀ'],
    ['InvoiceReminded', 'Reminder: invoice INV-2026-000107 from ỌJÀ'],
  ]);
  expect(textOf('invoice', 'InvoiceSent', EN)).toBe(`Invoice INV-2026-000107
Hello Ada,
ỌJÀ has sent you an invoice.
For: Work in January
Amount: $100.50
Due: 31 January 2026
[Pay $100.50] http://localhost:8080/l/t0000000000000000000042
You get it because ỌJÀ has sent you an invoice.`);
});

test('an invoice in French, with what it is in naira', () => {
  const terms = { locale: 'fr', amount_ngn: '67500.5', due_date: null };
  expect(textOf('invoice', 'InvoiceSent', { terms })).toBe(`Facture INV-2026-000107
Bonjour Ada,
ỌJÀ vous a adressé une facture.
Objet: Work in January
Montant: 100,50 $ (67 500,50 ₦)
[Payer 100,50 $] http://localhost:8080/l/t0000000000000000000042
Vous le recevez car ỌJÀ vous a adressé une facture.`);
});

test('an installment: three days before it is due, with its link, and late', () => {
  expect(subjectsOf('installment-plan', EN)).toEqual([
    ['InstallmentReminded', 'Installment 1 of 2 to ỌJÀ is due on 11 January 2026'],
    ['InstallmentChargeOpened', 'Installment 1 of 2 to ỌJÀ'],
  ]);
  expect(textOf('installment-plan', 'InstallmentChargeOpened', EN)).toContain(
    `Installment: 1 of 2
Amount: $50.00
Due: 11 January 2026
Pay before: 12 January 2026 at 09:00 UTC
[Pay $50.00] http`,
  );
});

test.each([
  ['en', EN, 'You can pay it by the link below already, or wait until it is due.'],
  ['fr', FR, 'Vous pouvez déjà le payer par le lien ci-dessous, ou attendre l’échéance.'],
] as const)('an upcoming installment that can be paid already, and one that cannot: %s', (_, changes, text) => {
  const life = recordedLife('installment-plan', changes) as readonly StoredEvent[];
  const [created, charged, opened, upcoming] = [
    ...['InstallmentPlanCreated', 'InstallmentCharged', 'InstallmentChargeOpened', 'InstallmentReminded'],
  ].map((type) => life.find((one) => one.type === type) as StoredEvent);
  const partsOf = (events: unknown) => letterOf(events as StoredEvent[])?.says('ỌJÀ', '').parts;
  const payable = partsOf([created, charged, opened, upcoming]);
  expect(payable?.[0]).toMatchObject({ text: expect.stringContaining(text) as string });
  expect(payable?.at(-1)?.kind).toBe('action');
  const not_yet = partsOf([created, upcoming]);
  expect(not_yet?.[0]).not.toMatchObject({ text: expect.stringContaining(text) as string });
  expect(not_yet?.at(-1)?.kind).toBe('facts');
});

test('an installment that is asked for again: the same words as when its link came', () => {
  const life = recordedLife('installment-plan', EN) as readonly StoredEvent[];
  const until = life.findIndex(({ type }) => type === 'InstallmentChargeOpened');
  const first = life.slice(0, until + 1);
  const { type, data } = life.find((one) => one.type === 'InstallmentReminded') as StoredEvent;
  const again = [...first, { type, data: { ...(data as object), about: 'payable' } } as StoredEvent];
  const [said, repeated] = [first, again].map((events) => letterOf(events)?.says('ỌJÀ', 'Ada'));
  expect(said?.parts.at(-1)?.kind).toBe('action');
  expect(repeated).toEqual(said);
});

test('an installment that is late: with the fee, its link, and each day until it is paid', () => {
  const life = [...recordedLife('installment-plan')];
  const [opened, late] = ['InstallmentChargeOpened', 'InstallmentLate'].map((type) => life.find((one) => one.type === type));
  const index = life.indexOf(late as (typeof life)[number]);
  const charged = life.find(({ type }) => type === 'InstallmentCharged');
  const until = '2026-01-18T09:00:00.000Z';
  const again = {
    type: 'InstallmentCharged',
    data: { ...charged?.data, charge: { charge_number: 2, amount_usd_cents: '5500', expires_at: until } },
  };
  const reopened = { type: 'InstallmentChargeOpened', data: { ...opened?.data, charge_number: 2 } };
  const reminder = life.find(({ type }) => type === 'InstallmentReminded');
  const daily = { type: 'InstallmentReminded', data: { ...reminder?.data, about: 'late' } };
  const history = [...life.slice(0, index + 1), again, reopened, daily] as StoredEvent[];
  const said = [history.slice(0, -1), history].map((events) => letterOf(events)?.says('ỌJÀ', 'Ada'));
  for (const one of said) {
    expect(one?.subject).toBe('Installment 1 of 2 to ỌJÀ is late');
    expect(one?.parts.at(-1)).toMatchObject({ kind: 'action', label: 'Pay $55.00' });
  }
});

test('an installment that is late and has no link yet: nothing, for it cannot be paid', () => {
  const [created, late, reminded] = [
    ...['InstallmentPlanCreated', 'InstallmentLate', 'InstallmentReminded'],
  ].map((type) => recordedLife('installment-plan').find((one) => one.type === type) as StoredEvent);
  for (const about of ['late', 'payable']) {
    const daily = { ...reminded, data: { ...(reminded?.data as object), about } };
    expect(letterOf([created, late, daily] as StoredEvent[])).toBeNull();
  }
});

test('a subscription: the link of each charge, and a failure', () => {
  expect(subjectsOf('subscription')).toEqual([
    ['SubscriptionChargeOpened', 'Your payment for Gold at ỌJÀ'],
    ['SubscriptionPaymentFailed', 'No payment for Gold at ỌJÀ'],
  ]);
});

describe('the last failure of a period', () => {
  const recorded = (type: string, changes: object = {}) => {
    const event = recordedLife('subscription').find((one) => one.type === type);
    return { type, data: { ...event?.data, ...changes } } as StoredEvent;
  };
  const failed = (attempt: number) => recorded('SubscriptionPaymentFailed', { charge: { attempt } });
  const created = recorded('SubscriptionCreated');
  const by_failure = recorded('SubscriptionCancelled', { cancellation_reason: 'payment_failed' });

  test('has no mail of its own: that of the end says it', () => {
    expect(letterOf([created, failed(4)])).toBeNull();
    expect(letterOf([created, failed(4), by_failure])?.says('ỌJÀ', '').subject).toBe(
      'Your subscription to Gold at ỌJÀ has ended',
    );
  });
  test.each([
    ['with another reason', [created, failed(4), recorded('SubscriptionCancelled')]],
    ['with the same word, before any failure', [created, by_failure]],
    ['with the same word, after a failure that is not the last', [created, failed(3), by_failure]],
  ])('is not what a cancel by the merchant tells: %s', (_, history) =>
    expect(letterOf(history)).toBeNull());
});

test('an e-mail given without a key is not written to before the first payment', () => {
  const stranger = { terms: { made_by: 'customer' } };
  expect(subjectsOf('subscription', stranger)).toEqual([]);
});

test('without an e-mail no mail is made', () => {
  expect(subjectsOf('subscription', { customer: null })).toEqual([]);
  expect(subjectsOf('installment-plan', { customer: null })).toEqual([]);
});

test('each mail has its French, in which nothing is left of the English', () => {
  const nouns = ['invoice', 'installment-plan', 'subscription'] as const;
  for (const noun of nouns) {
    for (const [type] of subjectsOf(noun, FR)) {
      const [en, fr] = [EN, FR].map((changes) => textOf(noun, type as string, changes).split('\n'));
      const same = en?.filter((line) => fr?.includes(line) && !line.startsWith('http'));
      expect(same).toEqual([]);
    }
  }
});

test('the customer hears again on its day of an installment that was asked for before', () => {
  const [created, due, charged, opened] = [
    ...['InstallmentPlanCreated', 'InstallmentDue', 'InstallmentCharged', 'InstallmentChargeOpened'],
  ].map((type) => recordedLife('installment-plan').find((one) => one.type === type) as StoredEvent);
  const early = [created, charged, opened, due] as StoredEvent[];
  expect(letterOf(early)?.says('ỌJÀ', 'Ada').subject).toBe('Installment 1 of 2 to ỌJÀ');
  expect(letterOf([created, due] as StoredEvent[])).toBeNull();
});
