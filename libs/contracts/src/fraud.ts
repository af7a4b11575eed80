import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { prefixedIds } from './object-ids';
import { paymentIds } from './payment-ids';
import { route } from './route';
import { Describe, IsIdOf, IsTime, NumberedPageQuery, NumberedPagination, OrNull } from './validation';

export const flagIds = prefixedIds('flag', 'first id');

const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export const FLAG_RESOLUTIONS = ['safe_false_positive', 'confirmed_fraud', 'other'] as const;
export type FlagResolution = (typeof FLAG_RESOLUTIONS)[number];
const STAGES = ['create', 'build', 'submit'] as const;

export class FlagReason {
  @IsString() code!: string;
  @IsInt() weight!: number;
  @IsNumber() observed!: number;
  @IsNumber() threshold!: number;
}

export class FlagAnswer {
  @IsIdOf(flagIds) id!: string;
  @IsIdOf(paymentIds) payment_id!: string;
  @IsString() merchant_id!: string;
  @IsIn(SEVERITIES) severity!: (typeof SEVERITIES)[number];
  @Describe('0 to 100.') @IsInt() score!: number;
  @Describe('What weighed most.') @IsString() rule!: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => FlagReason) reasons!: FlagReason[];
  @IsIn(STAGES) stage!: (typeof STAGES)[number];
  @IsIn(['review', 'block']) action!: 'review' | 'block';
  @OrNull() @IsString() customer_wallet!: string | null;
  @Describe('Null where none is known, and once the customer was erased.')
  @OrNull()
  @IsString()
  ip_address!: string | null;
  @IsNumber() amount_usd!: number;
  @IsBoolean() resolved!: boolean;
  @OrNull() @IsIn(FLAG_RESOLUTIONS) resolution_type!: FlagResolution | null;
  @OrNull() @IsString() resolved_by!: string | null;
  @OrNull() @IsTime() resolved_at!: string | null;
  @IsTime() created_at!: string;
}

export class ListFlagsAnswer {
  @IsArray() @ValidateNested({ each: true }) @Type(() => FlagAnswer) data!: FlagAnswer[];
  @ValidateNested() @Type(() => NumberedPagination) pagination!: NumberedPagination;
}

export class ListFlagsQuery extends NumberedPageQuery {
  @IsOptional() @IsIn(['true', 'false']) resolved?: 'true' | 'false';
  @IsOptional() @IsIn(SEVERITIES) severity?: (typeof SEVERITIES)[number];
  @IsOptional() @IsIn(FLAG_RESOLUTIONS) resolution_type?: FlagResolution;
}

export class FraudStatsAnswer {
  @IsInt() total_flagged!: number;
  @IsInt() unresolved_flags!: number;
  @IsInt() resolved_safe_flags!: number;
  @IsInt() blocked_payments!: number;
  @Describe('resolved_safe_flags / total_flagged; 0 without flags.') @IsNumber() false_positive_rate!: number;
  @Describe('What the blocked payments were about.') @IsNumber() estimated_fraud_prevented_usd!: number;
  @Describe('Scores of 65 and more, blocked ones too.') @IsInt() high_risk_payments_24h!: number;
  @Describe('Of all payments that were screened; 0 without any.') @IsNumber() average_fraud_score_24h!: number;
}

/** By key; by session, too, once there are sessions (specification §2.13). */
const reading = {
  context: 'fraud',
  auth: 'key',
  method: 'GET',
  limit: 'read',
  idempotent: false,
  tag: 'Fraud',
} as const;

export const listFraudFlags = route({
  ...reading,
  id: 'listFraudFlags',
  path: '/api/v1/merchants/me/fraud/flags',
  query: ListFlagsQuery,
  answers: { 200: ListFlagsAnswer },
  refusals: [],
  summary: 'What fraud holds against the merchant’s payments, newest first',
});

export const readFraudStats = route({
  ...reading,
  id: 'readFraudStats',
  path: '/api/v1/merchants/me/fraud/stats',
  answers: { 200: FraudStatsAnswer },
  refusals: [],
  summary: 'Flags and scores in figures',
});
