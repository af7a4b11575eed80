import { LIST_LIMIT_DEFAULT } from '@tender/contracts';
import { listing, type Compared } from '@tender/http';
import type { Refund } from '@tender/refunds-disputes-domain';
import { refunds } from './refunds.projection';

const show = ({ state }: { readonly state: Refund }): Refund => state;

/** A payment’s refunds, newest first. */
export const refundsOfPayment = listing({
  ...{ view: refunds, show },
  filters: { payment_id: 'payment_id' },
});

const DATES = { start_date: { from: 'created_at' }, end_date: { to: 'created_at' } } as const;

/** A merchant’s refunds, newest first, for its dashboard. */
export const refundsOfMerchant = listing({
  ...{ view: refunds, show, limit: LIST_LIMIT_DEFAULT },
  filters: { status: 'status', ...DATES } satisfies Record<string, Compared>,
});
