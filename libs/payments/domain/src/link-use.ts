import { accept, type Decider, type Decision } from '@tender/kernel';
import type { PaymentLinkUsed } from './payment-link';

/**
 * A confirmed payment of a link without `max_uses`. It has a stream of its own, so that the link’s does not grow with
 * what is paid by it.
 */
export type LinkUse = { readonly status: 'unknown' } | { readonly status: 'recorded' };

export interface RecordLinkUse {
  readonly type: 'RecordLinkUse';
  readonly use: PaymentLinkUsed['data'];
}

/** A use is recorded once. */
export const linkUseDecider = {
  initial: { status: 'unknown' } as LinkUse,
  evolve: (_: LinkUse, __: PaymentLinkUsed): LinkUse => ({ status: 'recorded' }),
  decide: {
    RecordLinkUse({ use }: RecordLinkUse, state: LinkUse): Decision<PaymentLinkUsed, never> {
      return state.status === 'unknown'
        ? accept<PaymentLinkUsed>({ type: 'PaymentLinkUsed', data: use })
        : accept<PaymentLinkUsed>();
    },
  },
} satisfies Decider<LinkUse, PaymentLinkUsed>;
