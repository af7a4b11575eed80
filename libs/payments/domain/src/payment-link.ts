import type { Currency, Mode, Token } from '@tender/kernel';
import type { PaymentCreated } from './payment';
import type { SealedCustomer } from './payment-terms';

/** What a link is about: fixed when it is created. */
export interface LinkTerms {
  readonly payment_link_id: string;
  readonly link_code: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  /** Minor units of `currency`. What is due in the token is fixed by each payment. */
  readonly amount_minor: string;
  readonly currency: Currency;
  readonly token: Token;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Null: as many as there are. */
  readonly max_uses: number | null;
  /** ISO 8601; null: never. */
  readonly expires_at: string | null;
  readonly collect_customer_info: boolean;
  readonly external_id: string | null;
  readonly return_url: string | null;
  readonly cancel_url: string | null;
  readonly hosted_page_url: string;
  /** When its payments expire; null: after the lifetime that all payments have. */
  readonly payments_expire_at: string | null;
  /** It stands for one thing, such as an invoice: a customer who pays gets its open payment, never a second. */
  readonly is_for_one_thing: boolean;
  readonly created_at: string;
}

export interface PaymentLinkCreated {
  readonly type: 'PaymentLinkCreated';
  readonly data: { readonly link: LinkTerms; readonly customer: SealedCustomer | null };
}

/** A use is taken before its payment exists. All that makes the payment is here, so that it is made in any case. */
export interface LinkUseHeld {
  readonly type: 'LinkUseHeld';
  readonly data: {
    readonly payment_link_id: string;
    readonly payment: PaymentCreated['data'];
    /** What stands for the client's address. */
    readonly held_by?: string;
  };
}

/** Its payment has ended without money: the use is free again. */
export interface LinkUseReleased {
  readonly type: 'LinkUseReleased';
  readonly data: {
    readonly payment_link_id: string;
    readonly payment_id: string;
    readonly released_at: string;
  };
}

/** A payment of the link is confirmed. */
export interface PaymentLinkUsed {
  readonly type: 'PaymentLinkUsed';
  readonly data: {
    readonly link: LinkTerms;
    readonly payment_id: string;
    /** Payments of the link that are pending or confirmed. */
    readonly uses_count: number;
    readonly used_at: string;
  };
}

export interface PaymentLinkClosed {
  readonly type: 'PaymentLinkClosed';
  readonly data: { readonly payment_link_id: string; readonly closed_at: string };
}

export type PaymentLinkEvent =
  | PaymentLinkCreated
  | LinkUseHeld
  | LinkUseReleased
  | PaymentLinkUsed
  | PaymentLinkClosed;

export interface KnownPaymentLink {
  readonly status: 'open' | 'closed';
  readonly terms: LinkTerms;
  readonly customer: SealedCustomer | null;
  /** Pending payments of a link with `max_uses`, and when each expires. */
  readonly holds: Readonly<Record<string, string>>;
  /** Who holds them: what stands for the client's address, by payment. Holds of before have none. */
  readonly holders?: Readonly<Record<string, string>>;
  /** Confirmed payments of a link with `max_uses`. */
  readonly used: number;
  readonly updated_at: string;
}
export type PaymentLink = { readonly status: 'unknown' } | KnownPaymentLink;

export const UNKNOWN_PAYMENT_LINK: PaymentLink = { status: 'unknown' };

/** The fold. */
export function evolvePaymentLink(state: PaymentLink, event: PaymentLinkEvent): PaymentLink {
  if (event.type === 'PaymentLinkCreated') return newLink(event.data);
  if (state.status === 'unknown') return state;
  switch (event.type) {
    case 'LinkUseHeld': {
      const { payment, held_by } = event.data;
      const { payment_id, expires_at, created_at } = payment.terms;
      const holds = { ...state.holds, [payment_id]: expires_at };
      const holders = held_by ? { ...state.holders, [payment_id]: held_by } : state.holders;
      return { ...state, holds, ...(holders ? { holders } : {}), updated_at: created_at };
    }
    case 'LinkUseReleased': {
      const { payment_id, released_at } = event.data;
      return { ...state, ...freed(state, payment_id), updated_at: released_at };
    }
    case 'PaymentLinkUsed': {
      const { payment_id, used_at } = event.data;
      return { ...state, ...freed(state, payment_id), used: state.used + 1, updated_at: used_at };
    }
    case 'PaymentLinkClosed':
      return { ...state, status: 'closed', updated_at: event.data.closed_at };
    default:
      return state;
  }
}

const newLink = ({ link, customer }: PaymentLinkCreated['data']): KnownPaymentLink => ({
  status: 'open',
  terms: link,
  customer,
  holds: {},
  used: 0,
  updated_at: link.created_at,
});

type Holding = Pick<KnownPaymentLink, 'holds' | 'holders'>;

const freed = ({ holds, holders }: Holding, payment_id: string): Holding => ({
  holds: without(holds, payment_id),
  ...(holders ? { holders: without(holders, payment_id) } : {}),
});

function without(holds: KnownPaymentLink['holds'], payment_id: string): KnownPaymentLink['holds'] {
  const { [payment_id]: _, ...others } = holds;
  return others;
}

/** Uses of a link with `max_uses` that are taken: its payments that are pending or confirmed. */
export const usesTaken = ({ holds, used }: KnownPaymentLink): number =>
  used + Object.keys(holds).length;

export type LinkStatus = 'active' | 'expired' | 'exhausted' | 'closed';

/** What a link is at that time. */
export function linkStatusAt(link: KnownPaymentLink, now: string): LinkStatus {
  const { expires_at, payments_expire_at, max_uses } = link.terms;
  if (link.status === 'closed') return 'closed';
  const is_over = [expires_at, payments_expire_at].some((end) => end !== null && now >= end);
  if (is_over) return 'expired';
  return max_uses !== null && usesTaken(link) >= max_uses ? 'exhausted' : 'active';
}
