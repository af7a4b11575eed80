import { Type } from 'class-transformer';
import { IsArray, IsIn, IsOptional, ValidateNested } from 'class-validator';
import { DashboardPage, DatedListQuery } from './long-lists';
import { uuidIds } from './object-ids';
import { paymentIds } from './payment-ids';
import { IsOwnData } from './payment-terms';
import { REFUND_STATUSES, RefundSnapshot, type RefundStatus } from './refunds.facts';
import { route } from './route';
import { Describe, IsIdOf, IsName, IsUsdAmount, OrNull, PageQuery } from './validation';

/** Refunds, and what is refunded with a dispute. */
export class RefundBody {
  @Describe('USD: above 0, with at most 2 decimals; no more than is left of the payment.', 25)
  @IsUsdAmount()
  amount_usd!: number;

  @Describe('Shown to the merchant alone.', 'Damaged on the way')
  @IsOptional()
  @IsName(500)
  refund_reason?: string;

  @IsOwnData()
  metadata?: Record<string, unknown>;
}

export class RefundAnswer extends RefundSnapshot {
  @IsIdOf(uuidIds) declare id: string;
  @IsIdOf(paymentIds) declare payment_id: string;
  @OrNull() @IsIdOf(uuidIds) declare dispute_id: string | null;
}

export class ListRefundsQuery extends DatedListQuery {
  @IsOptional() @IsIn(REFUND_STATUSES) status?: RefundStatus;
}

export class ListRefundsAnswer extends DashboardPage {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RefundAnswer)
  refunds!: RefundAnswer[];
}

/** Codes of every request that begins a refund. */
export const REFUND_REFUSALS = [
  ...['payment_not_refundable', 'refund_in_progress', 'payment_already_refunded'],
  ...['refund_amount_exceeds_remaining', 'validation_failed'],
] as const;

const refunds = { context: 'refunds-disputes', auth: 'key', tag: 'Refunds' } as const;
const reading = { ...refunds, method: 'GET', limit: 'read', idempotent: false } as const;
const OF_DASHBOARD = '/api/v1/merchants/me/refunds';

export const createRefund = route({
  ...refunds,
  id: 'createRefund',
  method: 'POST',
  path: '/api/v1/payments/{payment_id}/refund',
  objects: { payment_id: paymentIds },
  limit: 'other',
  idempotent: true,
  body: RefundBody,
  answers: { 201: RefundAnswer },
  refusals: ['not_found', ...REFUND_REFUSALS, 'service_unavailable'],
  summary: 'Send a part of a payment back to the wallet that paid, or all that is left of it',
});

export const listPaymentRefunds = route({
  ...reading,
  id: 'listPaymentRefunds',
  path: '/api/v1/payments/{payment_id}/refunds',
  objects: { payment_id: paymentIds },
  query: PageQuery,
  answers: { 200: [RefundAnswer] },
  refusals: ['not_found', 'service_unavailable'],
  summary: 'The refunds of a payment, newest first',
});

/** Reads of the dashboard take a key, too (specification §2.13). */
export const listRefunds = route({
  ...reading,
  id: 'listRefunds',
  path: OF_DASHBOARD,
  query: ListRefundsQuery,
  answers: { 200: ListRefundsAnswer },
  refusals: [],
  summary: 'The merchant’s refunds, newest first, for the dashboard; takes a key',
});

export const getRefund = route({
  ...reading,
  id: 'getRefund',
  path: `${OF_DASHBOARD}/{id}`,
  objects: { id: uuidIds },
  answers: { 200: RefundAnswer },
  refusals: ['not_found'],
  summary: 'One refund, for the dashboard; takes a key',
});

export const refundsRoutes = [createRefund, listPaymentRefunds, listRefunds, getRefund] as const;
