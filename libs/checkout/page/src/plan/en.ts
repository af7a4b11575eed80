import type { BillingInterval } from '@tender/contracts';

const UNITS: Readonly<Record<BillingInterval, string>> = {
  daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year',
};

/** Every word that the pages of plans have of their own. French has the same keys, or it does not compile. */
export const en = {
  title: (shop: string) => `Subscribe to ${shop}`,
  subscribe_to: 'Subscribe to',
  subscribed_to: 'Your subscription with',
  every: (interval: BillingInterval, count: number) =>
    count === 1 ? `every ${UNITS[interval]}` : `every ${count} ${UNITS[interval]}s`,
  rhythm: (every: string, token: string) => `${every}, paid in ${token}`,
  form_title: 'Subscribe with your wallet',
  you_approve: 'You approve each payment in your wallet. Nothing is taken by itself.',
  trial_days: (days: number) => (days === 1 ? 'The first day is free.' : `The first ${days} days are free.`),
  first_payment: 'First payment',
  at_once: 'today',
  payments: 'Payments in all',
  wallet: 'Wallet address',
  wallet_malformed: 'This is not the address of a Solana wallet.',
  email: 'E-mail (optional)',
  email_why: 'Once you have paid, we write to it when a payment is due.',
  name: 'Name (optional)',
  subscribe: 'Subscribe',
  begin_trial: 'Start the free trial',
  connect: 'Connect {wallet}',
  connected: '{wallet} is connected.',
  declined: 'You declined in the wallet. Nothing has changed.',
  failed: 'The wallet shows no account. Try again, or type its address.',
  offline: 'You are offline. What you have typed is kept: try again once you are back.',
  closed_title: 'This plan takes no new subscriptions',
  closed_text: 'Subscriptions that there are go on. Ask the shop for another plan.',
  due_first_title: 'One step is left: the first payment',
  due_title: 'A payment is due',
  due_text: (until: string) => `It covers the time until ${until}.`,
  pay: 'Continue to payment',
  trial_title: 'Your free trial has begun',
  trial_text: (amount: string, day: string) => `Nothing is to be paid now. The first payment of ${amount} comes on ${day}.`,
  trial_ends: (day: string) => `It ends on ${day}, and nothing is charged.`,
  subscribed_title: 'You are subscribed',
  paid_until: (day: string) => `It is paid until ${day}.`,
  next_payment: (day: string) => `The next payment comes on ${day}.`,
  last_period: 'It ends then, and nothing more is charged.',
  paused_title: 'Your subscription is paused',
  paused_text: 'Nothing is charged meanwhile.',
  resumes: (day: string) => `It continues on ${day}.`,
  ended_title: 'Your subscription has ended',
  ended_text: 'Nothing more is charged.',
  keep_address: 'Keep the address of this page: here you see your subscription, and pay each period.',
  your_wallet: 'Wallet',
  subscription: 'Subscription',
  another: 'Subscribe another wallet',
  again: 'Subscribe again',
  busy_text: 'Nothing is lost, and nothing is done twice.',
};

export type PlanWords = typeof en;
