import { IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { paymentIds, receiptIds } from './payment-ids';
import {
  RECEIPT_REASONS,
  RECEIPT_RESOLUTIONS,
  ReceiptSnapshot,
  type ReceiptReason,
  type ReceiptResolution,
} from './receipts.facts';
import { route } from './route';
import { Describe, IsIdOf, IsTime, OrNull, PageQuery } from './validation';

/** Money that pays nothing. What only answers have is declared here. */
export class ReceiptAnswer extends ReceiptSnapshot {
  @IsIdOf(receiptIds) declare id: string;
  @OrNull() @IsIn(RECEIPT_RESOLUTIONS) declare resolution: ReceiptResolution | null;
  @OrNull() @IsString() declare resolution_note: string | null;
  @OrNull() @IsTime() declare resolved_at: string | null;
}

export class ListPaymentReceiptsQuery extends PageQuery {
  @Describe('Only those that the merchant has resolved, or only the others.')
  @IsOptional()
  @IsBoolean()
  resolved?: boolean;
}

export class ListReceiptsQuery extends ListPaymentReceiptsQuery {
  @IsOptional() @IsIn(RECEIPT_REASONS) reason?: ReceiptReason;
}

export class ResolveReceiptBody {
  @Describe('`refund` only of money in the operating wallet: it goes back to the wallet that sent it.')
  @IsIn(['accept', 'refund'])
  action!: 'accept' | 'refund';

  @Describe('The merchant’s own words.', 'Shipped all the same')
  @IsOptional()
  @IsString()
  @MaxLength(500)
  note?: string;
}

const keyed = { context: 'payments', auth: 'key', tag: 'Payments' } as const;
const reading = { ...keyed, method: 'GET', limit: 'read', idempotent: false } as const;

export const listPaymentReceipts = route({
  ...reading,
  id: 'listPaymentReceipts',
  path: '/api/v1/payments/{id}/receipts',
  objects: { id: paymentIds },
  query: ListPaymentReceiptsQuery,
  answers: { 200: [ReceiptAnswer] },
  refusals: ['not_found'],
  summary: 'Money that named this payment and did not pay it, and what was over',
});

export const listReceipts = route({
  ...reading,
  id: 'listReceipts',
  path: '/api/v1/receipts',
  query: ListReceiptsQuery,
  answers: { 200: [ReceiptAnswer] },
  refusals: [],
  summary: 'All money that pays nothing, newest first',
});

export const resolveReceipt = route({
  ...keyed,
  id: 'resolveReceipt',
  method: 'POST',
  path: '/api/v1/receipts/{id}/resolve',
  limit: 'other',
  idempotent: true,
  objects: { id: receiptIds },
  body: ResolveReceiptBody,
  answers: { 200: ReceiptAnswer },
  refusals: [
    'not_found',
    'receipt_already_resolved',
    'refund_in_progress',
    'receipt_not_refundable',
    'service_unavailable',
  ],
  summary: 'Say what became of money that pays nothing, once',
});

export const receiptsRoutes = [listPaymentReceipts, listReceipts, resolveReceipt] as const;
