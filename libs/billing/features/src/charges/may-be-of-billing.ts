import type { PaymentFact } from '@tender/contracts';
import { CHARGED } from './all-charged';

const NAMES = CHARGED.map(({ named_by }) => named_by);

interface OfPayment {
  readonly data: PaymentFact;
}

/**
 * Which links are billing's is in its rows alone, for metadata may say anything; but links of billing always name what
 * they are for. So the links of a shop are not looked for in rows that are behind.
 */
export function mayBeOfBilling(event: OfPayment): boolean {
  const { metadata } = event.data.payment;
  return linkOf(event) !== null && NAMES.some((name) => Object.hasOwn(metadata, name));
}

/** The link that it was made by; null where there is none. */
export const linkOf = ({ data }: OfPayment): string | null => data.payment.payment_link_id ?? null;
