import { newId, uuidIds, type RefundBody, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { minorUnits } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { RefundInitiator, RefundWish } from '@tender/refunds-disputes-domain';

/** The id that the refund of this request has, and of its repeats (ADR 0003). */
export const refundIdOf = ({ mode, id_seed }: Pick<RequestContext, 'mode' | 'id_seed'>): string =>
  newId(uuidIds, mode, Buffer.from(id_seed, 'hex'));

/** What the request wishes. Throws 400. */
export const wishOf = (
  { clock }: Pick<Runtime, 'clock'>,
  asked: Pick<RequestContext, 'mode' | 'id_seed'>,
  { amount_usd, refund_reason, metadata }: RefundBody,
  of: { readonly initiated_by: RefundInitiator; readonly dispute_id: string | null },
): RefundWish => ({
  ...of,
  refund_id: refundIdOf(asked),
  amount_usd_cents: minorUnits(amount_usd, 'amount_usd').toString(),
  reason: refund_reason ?? null,
  metadata: metadata ?? {},
  of_canceled_hold: false,
  now: isoTime(clock.now()),
});

/** Whose personal data the events of a refund hold. */
export const subjectsOf = ({
  customer_subject,
}: {
  readonly customer_subject: string | null;
}): readonly string[] => (customer_subject === null ? [] : [customer_subject]);
