import type { StoredEvent } from '@tender/eventing';
import { recordedLife, type LifeNoun } from '../testing/recorded-lives';
import { isStillOwed } from './still-owed';

/** The recorded events of these types, in this order; one that is a pair has other data. */
function lifeOf(noun: LifeNoun, ...types: readonly (string | readonly [string, object])[]) {
  const life = recordedLife(noun);
  return types.map((one) => {
    const [type, changes] = typeof one === 'string' ? [one, {}] : one;
    const { data } = life.find((event) => event.type === type) as (typeof life)[number];
    return { type, data: { ...data, ...changes } } as unknown as StoredEvent;
  });
}

const INVOICE = ['InvoiceDrafted', 'InvoiceCreated', 'InvoiceSent'] as const;
const PLAN = ['InstallmentPlanCreated', 'InstallmentReminded', 'InstallmentDue'] as const;
const ASKED = [...PLAN, 'InstallmentCharged', 'InstallmentChargeOpened'] as const;
const CHARGED = ['SubscriptionCreated', 'SubscriptionChargeOpened'] as const;
const FAILED = [...CHARGED, 'SubscriptionPaymentFailed'] as const;
const BY_FAILURE = ['SubscriptionCancelled', { cancellation_reason: 'payment_failed' }] as const;

test.each([
  ['an invoice that is overdue', true, 'invoice', [...INVOICE, 'InvoiceOverdue'], 2],
  ['an invoice that is paid', false, 'invoice', [...INVOICE, 'InvoicePaid'], 2],
  ['an invoice that is cancelled', false, 'invoice', [...INVOICE, 'InvoiceCancelled'], 2],
  ['a reminder of what is paid', false, 'invoice', [...INVOICE, 'InvoiceReminded', 'InvoicePaid'], 3],
  ['an installment that is due by now', true, 'installment-plan', PLAN, 1],
  ['an installment that is charged', true, 'installment-plan', ASKED, 4],
  ['an installment that is paid', false, 'installment-plan', [...ASKED, 'InstallmentPaid'], 4],
  ['a plan that is cancelled', false, 'installment-plan', [...PLAN, 'InstallmentPlanCancelled'], 1],
  ['a plan that has defaulted', false, 'installment-plan', [...ASKED, 'InstallmentDefaulted'], 4],
  ['an installment with a fee and a new link', false, 'installment-plan', [...ASKED, 'InstallmentLate', 'InstallmentCharged'], 4],
  ['a period that is charged', true, 'subscription', CHARGED, 1],
  ['a period that is paid', false, 'subscription', [...CHARGED, 'SubscriptionRenewed'], 1],
  ['a subscription that is paused', false, 'subscription', [...CHARGED, 'SubscriptionPaused'], 1],
  ['a subscription that is cancelled', false, 'subscription', [...CHARGED, 'SubscriptionCancelled'], 1],
  ['a period that is charged again', false, 'subscription', [...FAILED, 'SubscriptionChargeDue'], 1],
  ['a failure of a period that is charged again', true, 'subscription', [...FAILED, 'SubscriptionChargeDue'], 2],
  ['a failure of a period that is paid since', false, 'subscription', [...FAILED, 'SubscriptionRenewed'], 2],
  ['a failure of a subscription that has ended', false, 'subscription', [...FAILED, BY_FAILURE], 2],
  ['the end of a subscription', true, 'subscription', [...FAILED, BY_FAILURE], 3],
  ['the end of one that is paid since', true, 'subscription', [...FAILED, BY_FAILURE, 'SubscriptionRenewed'], 3],
] as const)('a mail of %s is sent: %p', (_, is_sent, noun, types, index) => {
  expect(isStillOwed(lifeOf(noun, ...types), index)).toBe(is_sent);
});
