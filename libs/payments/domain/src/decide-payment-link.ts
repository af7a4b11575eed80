import { accept, fromUnits, refuse, type Decider, type Decision, type Refused } from '@tender/kernel';
import type { PaymentCreated } from './payment';
import {
  evolvePaymentLink,
  linkStatusAt,
  UNKNOWN_PAYMENT_LINK,
  usesTaken,
  type KnownPaymentLink,
  type PaymentLink,
  type PaymentLinkCreated,
  type PaymentLinkEvent,
} from './payment-link';

const CENT_PLACES = 2;

export interface CreatePaymentLink {
  readonly type: 'CreatePaymentLink';
  readonly link: PaymentLinkCreated['data'];
  /** What the merchant may ask for at most, cents. */
  readonly amount_max: bigint;
}

/** Takes a use of a link with `max_uses` for a payment that is made next. */
export interface HoldLinkUse {
  readonly type: 'HoldLinkUse';
  readonly payment: PaymentCreated['data'];
  readonly amount_max: bigint;
  /** ISO 8601, business time. */
  readonly now: string;
  readonly holder: LinkHolder;
}

/** The client who begins a payment, and what it may hold. */
export interface LinkHolder {
  /** What stands for its address. */
  readonly held_by: string;
  /** Uses that one address may hold of any link; of a large one, a share. */
  readonly holds_max: number;
}

/** The payment has expired or failed. */
export interface ReleaseLinkUse {
  readonly type: 'ReleaseLinkUse';
  readonly payment_id: string;
  readonly released_at: string;
}

/** The payment is confirmed. */
export interface TakeLinkUse {
  readonly type: 'TakeLinkUse';
  readonly payment_id: string;
  readonly used_at: string;
}

/** Its owner wants no more payments by it. */
export interface ClosePaymentLink {
  readonly type: 'ClosePaymentLink';
  readonly closed_at: string;
}

/** What happens to a payment link, by the type of the command. */
export const paymentLinkDecider = {
  initial: UNKNOWN_PAYMENT_LINK,
  evolve: evolvePaymentLink,
  decide: {
    CreatePaymentLink: createPaymentLink,
    HoldLinkUse: holdLinkUse,
    ReleaseLinkUse: releaseLinkUse,
    TakeLinkUse: takeLinkUse,
    ClosePaymentLink: closePaymentLink,
  },
} satisfies Decider<PaymentLink, PaymentLinkEvent>;

type LinkUnknown = 'payment_link_unknown';
/** Why a link makes no payment now. */
export type Unpayable = 'payment_link_closed' | 'payment_link_expired' | 'payment_link_exhausted';
type Unholdable =
  | LinkUnknown
  | Unpayable
  | 'payment_open'
  | 'amount_too_large'
  | 'too_many_open_payments';

const unknownLink = (): Refused<LinkUnknown> => refuse('payment_link_unknown');

function createPaymentLink(
  { link, amount_max }: CreatePaymentLink,
  state: PaymentLink,
): Decision<PaymentLinkEvent, 'payment_link_exists' | 'amount_too_large'> {
  if (state.status !== 'unknown') return refuse('payment_link_exists');
  // Of another currency the payment is held to the maximum once more, in USD.
  if (BigInt(link.link.amount_minor) > amount_max) return amountTooLarge(amount_max);
  return accept<PaymentLinkEvent>({ type: 'PaymentLinkCreated', data: link });
}

const amountTooLarge = (amount_max: bigint): Refused<'amount_too_large'> =>
  refuse('amount_too_large', { amount_max_usd: fromUnits(amount_max, CENT_PLACES) });

/**
 * Why this link makes no payment now; null where it does. `free_at` is when the first of the payments that
 * hold its uses expires, where these alone stand in the way.
 */
export function unpayable(link: KnownPaymentLink, now: string): Refused<Unpayable> | null {
  switch (linkStatusAt(link, now)) {
    case 'closed':
      return refuse('payment_link_closed');
    case 'expired':
      return refuse('payment_link_expired');
    case 'exhausted':
      return refuse('payment_link_exhausted', freeAt(link));
    case 'active':
      return null;
  }
}

function freeAt({ holds, used, terms }: KnownPaymentLink): { readonly free_at?: string } {
  const [free_at] = Object.values(holds).toSorted();
  return used < (terms.max_uses ?? 0) && free_at !== undefined ? { free_at } : {};
}

/** The open payment of a link that stands for one thing; null where there is none, or it is past its time. */
export function openPaymentOf(
  { status, terms, holds }: KnownPaymentLink,
  now: string,
): string | null {
  if (!terms.is_for_one_thing || status === 'closed') return null;
  const open = Object.entries(holds).find(([, expires_at]) => now < expires_at);
  return open?.[0] ?? null;
}

/** An address may hold a quarter of the uses of a link that has many. */
const SHARE = 4;

/** One client who begins payments and pays none keeps no other from a link with many uses. */
function heldTooMany(
  { terms, holds, holders = {} }: KnownPaymentLink,
  { held_by, holds_max }: LinkHolder,
): Refused<'too_many_open_payments'> | null {
  const own = Object.keys(holders).filter((payment_id) => holders[payment_id] === held_by);
  if (own.length < Math.max(holds_max, Math.ceil((terms.max_uses ?? 0) / SHARE))) return null;
  const [free_at] = own.map((payment_id) => holds[payment_id] as string).toSorted();
  return refuse('too_many_open_payments', { open: own.length, free_at });
}

/** Held before it is used: holds and uses together never exceed `max_uses` (M10). */
function holdLinkUse(
  { payment, amount_max, now, holder }: HoldLinkUse,
  state: PaymentLink,
): Decision<PaymentLinkEvent, Unholdable> {
  if (state.status === 'unknown') return unknownLink();
  const open = openPaymentOf(state, now);
  if (open !== null) return refuse('payment_open', { payment_id: open });
  const refused = unpayable(state, now) ?? heldTooMany(state, holder);
  if (refused) return refused;
  if (BigInt(payment.terms.amount_usd_cents) > amount_max) return amountTooLarge(amount_max);
  const { payment_link_id } = state.terms;
  const { held_by } = holder;
  return accept<PaymentLinkEvent>({ type: 'LinkUseHeld', data: { payment_link_id, payment, held_by } });
}

/** A payment that holds nothing here has ended before: nothing is left to do. */
function releaseLinkUse(
  { payment_id, released_at }: ReleaseLinkUse,
  state: PaymentLink,
): Decision<PaymentLinkEvent, LinkUnknown> {
  if (state.status === 'unknown') return unknownLink();
  if (state.holds[payment_id] === undefined) return accept<PaymentLinkEvent>();
  const { payment_link_id } = state.terms;
  const data = { payment_link_id, payment_id, released_at };
  return accept<PaymentLinkEvent>({ type: 'LinkUseReleased', data });
}

function takeLinkUse(
  { payment_id, used_at }: TakeLinkUse,
  state: PaymentLink,
): Decision<PaymentLinkEvent, LinkUnknown> {
  if (state.status === 'unknown') return unknownLink();
  if (state.holds[payment_id] === undefined) return accept<PaymentLinkEvent>();
  return accept<PaymentLinkEvent>({
    type: 'PaymentLinkUsed',
    data: { link: state.terms, payment_id, uses_count: usesTaken(state), used_at },
  });
}

/** Payments that it has made go on. */
function closePaymentLink(
  { closed_at }: ClosePaymentLink,
  state: PaymentLink,
): Decision<PaymentLinkEvent, LinkUnknown> {
  if (state.status === 'unknown') return unknownLink();
  if (state.status === 'closed') return accept<PaymentLinkEvent>();
  const { payment_link_id } = state.terms;
  return accept<PaymentLinkEvent>({
    type: 'PaymentLinkClosed',
    data: { payment_link_id, closed_at },
  });
}
