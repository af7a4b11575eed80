/** What a mail of billing says in its own words. */
export interface Wording {
  readonly subject: string;
  readonly title: string;
  readonly text: string;
  readonly why: string;
}

interface Share {
  readonly shop: string;
  readonly number: number;
  readonly count: number;
}
interface Due extends Share {
  readonly day: string;
}
interface Subscribed {
  readonly shop: string;
  readonly plan: string;
}
interface Invoiced {
  readonly shop: string;
  readonly number: string;
}

const BECAUSE = {
  invoice: (shop: string) => `You get it because ${shop} has sent you an invoice.`,
  installments: (shop: string) => `You get it because you pay ${shop} in installments.`,
  subscription: (shop: string) => `You get it because you have subscribed with ${shop}.`,
};

export const en = {
  hello: (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`),
  pay: (amount: string) => `Pay ${amount}`,
  labels: {
    ...{ amount: 'Amount', for: 'For', due: 'Due', installment: 'Installment' },
    ...{ subscription: 'Subscription', period: 'Period', pay_before: 'Pay before' },
  },
  of: (number: number, count: number) => `${number} of ${count}`,
  period: (start: string, end: string) => `${start} – ${end}`,

  invoice_sent: ({ shop, number }: Invoiced): Wording => ({
    subject: `Invoice ${number} from ${shop}`,
    title: `Invoice ${number}`,
    text: `${shop} has sent you an invoice.`,
    why: BECAUSE.invoice(shop),
  }),
  invoice_reminded: ({ shop, number }: Invoiced): Wording => ({
    subject: `Reminder: invoice ${number} from ${shop}`,
    title: `Invoice ${number} is waiting`,
    text: `${shop} reminds you of this invoice, which is not paid yet.`,
    why: BECAUSE.invoice(shop),
  }),
  installment_upcoming: ({ shop, number, count, day }: Due): Wording => ({
    subject: `Installment ${number} of ${count} to ${shop} is due on ${day}`,
    title: `Your next installment is due on ${day}`,
    text: 'You need not do anything now: we send you a link to pay by when it is due.',
    why: BECAUSE.installments(shop),
  }),
  installment_upcoming_payable: ({ shop, number, count, day }: Due): Wording => ({
    subject: `Installment ${number} of ${count} to ${shop} is due on ${day}`,
    title: `Your next installment is due on ${day}`,
    text: 'You can pay it by the link below already, or wait until it is due.',
    why: BECAUSE.installments(shop),
  }),
  installment_due: ({ shop, number, count }: Share): Wording => ({
    subject: `Installment ${number} of ${count} to ${shop}`,
    title: 'You can pay this installment now',
    text: `Installment ${number} of ${count} to ${shop} can be paid by the link below.`,
    why: BECAUSE.installments(shop),
  }),
  installment_late: ({ shop, number, count }: Share): Wording => ({
    subject: `Installment ${number} of ${count} to ${shop} is late`,
    title: 'This installment is late',
    text: `Installment ${number} of ${count} to ${shop} is not paid yet. Please pay it before the time below: after it, the plan ends.`,
    why: BECAUSE.installments(shop),
  }),
  charge_due: ({ shop, plan }: Subscribed): Wording => ({
    subject: `Your payment for ${plan} at ${shop}`,
    title: `Your payment for ${plan}`,
    text: 'A period of your subscription is to be paid. No money is taken by itself: pay it by the link below.',
    why: BECAUSE.subscription(shop),
  }),
  payment_failed: ({ shop, plan }: Subscribed): Wording => ({
    subject: `No payment for ${plan} at ${shop}`,
    title: 'We have not received your payment',
    text: 'The time to pay this period of your subscription is over. You get a new link in another mail.',
    why: BECAUSE.subscription(shop),
  }),
  cancelled: ({ shop, plan }: Subscribed): Wording => ({
    subject: `Your subscription to ${plan} at ${shop} has ended`,
    title: 'Your subscription has ended',
    text: `Your subscription to ${plan} was cancelled because no payment came in time. Nothing more is charged.`,
    why: BECAUSE.subscription(shop),
  }),
};

export type Words = typeof en;
