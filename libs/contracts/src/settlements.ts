import { IsIn, IsOptional, IsString } from 'class-validator';
import { paymentIds, settlementIds } from './payment-ids';
import { route } from './route';
import {
  SETTLEMENT_STATUSES,
  SettlementSnapshot,
  type SettlementStatus,
} from './settlements.facts';
import type { TransferFailure } from './treasury-calls';
import { TRANSFER_FAILURES } from './treasury.facts';
import { Describe, IsIdOf, IsTime, OrNull, PageQuery } from './validation';

/** How the money of a payment comes to the merchant’s own wallet. What only answers have is declared here. */
export class SettlementAnswer extends SettlementSnapshot {
  @IsIdOf(settlementIds) declare id: string;
  @IsIdOf(paymentIds) declare payment_id: string;
  @OrNull() @IsIn(TRANSFER_FAILURES) declare failure_reason: TransferFailure | null;
  @IsTime() created_at!: string;
  @OrNull() @IsTime() completed_at!: string | null;
}

export class ListSettlementsQuery extends PageQuery {
  @Describe('Settlements of this payment alone.') @IsOptional() @IsString() payment_id?: string;
  @IsOptional() @IsIn(SETTLEMENT_STATUSES) status?: SettlementStatus;
}

const settlements = { context: 'payments', auth: 'key', tag: 'Settlements' } as const;

export const listSettlements = route({
  ...settlements,
  id: 'listSettlements',
  method: 'GET',
  path: '/api/v1/settlements',
  limit: 'read',
  idempotent: false,
  query: ListSettlementsQuery,
  answers: { 200: [SettlementAnswer] },
  refusals: [],
  summary: 'How the money of payments has come to the merchant’s own wallet, newest first',
});

export const retrySettlement = route({
  ...settlements,
  id: 'retrySettlement',
  method: 'POST',
  path: '/api/v1/settlements/{id}/retry',
  limit: 'other',
  idempotent: true,
  objects: { id: settlementIds },
  answers: { 200: SettlementAnswer },
  refusals: ['not_found', 'settlement_not_retryable'],
  summary: 'Retry a settlement that has failed',
});

export const settlementsRoutes = [listSettlements, retrySettlement] as const;
