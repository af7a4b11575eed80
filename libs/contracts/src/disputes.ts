import { Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';
import {
  DISPUTE_RESOLVERS,
  DISPUTE_STATUSES,
  DISPUTE_TYPES,
  ShownDispute,
  type DisputeResolver,
  type DisputeStatus,
  type DisputeType,
} from './disputes.facts';
import { LOCALES, type Locale } from './locales';
import { DashboardPage, DatedListQuery } from './long-lists';
import { uuidIds } from './object-ids';
import { paymentIds } from './payment-ids';
import { REFUND_REFUSALS, RefundAnswer, RefundBody } from './refunds';
import { route } from './route';
import {
  Describe,
  IsBase58Address,
  IsEmailAddress,
  IsIdOf,
  IsMetadata,
  IsReason,
  IsTime,
  IsUsdAmount,
  OrNull,
} from './validation';

const DESCRIPTION_MAX = 500;
const WORDS_MAX = 5_000;

export class RequestDisputeCodeBody {
  @Describe('The e-mail that the payment knows of its customer.', 'ada@example.com')
  @IsEmailAddress()
  customer_email!: string;

  @Describe('The language of the mail; `en` by default.')
  @IsOptional()
  @IsIn(LOCALES)
  locale?: Locale;
}

/** The same whether or not the payment knows that e-mail. */
export class RequestDisputeCodeAnswer {
  @IsIdOf(paymentIds) payment_id!: string;
  @Describe('As it is in the request.') @IsString() customer_email!: string;
  @Describe('The code is good until then at most. One that was sent before may be sent again; the mail says how long it is good.')
  @IsTime()
  expires_at!: string;
}

export class OpenDisputeBody {
  @Describe('The e-mail that the code was requested for.', 'ada@example.com')
  @IsEmailAddress()
  customer_email!: string;

  @Describe('The wallet that paid, as a further proof.')
  @IsOptional()
  @IsBase58Address()
  customer_wallet?: string;

  @IsIn(DISPUTE_TYPES) dispute_type!: DisputeType;

  @Describe('What went wrong, in the customer’s own words.', 'Ten days late, and nothing has come.')
  @IsString()
  @MinLength(1)
  @MaxLength(DESCRIPTION_MAX)
  description!: string;

  @Describe('Anything that shows it: at most 50 keys and 16 KiB.')
  @IsOptional()
  @IsMetadata()
  evidence?: Record<string, unknown>;

  @Describe('The six digits of the mail.', '042137')
  @IsString()
  @Matches(/^\d{6}$/)
  otp_code!: string;
}

export class DisputeAnswer extends ShownDispute {
  @IsIdOf(uuidIds) declare id: string;
  @IsIdOf(paymentIds) declare payment_id: string;
  @OrNull() @IsIn(DISPUTE_RESOLVERS) declare resolved_by: DisputeResolver | null;
}

export class ListDisputesQuery extends DatedListQuery {
  @IsOptional() @IsIn(DISPUTE_STATUSES) status?: DisputeStatus;
  @IsOptional() @IsIn(DISPUTE_TYPES) dispute_type?: DisputeType;
}

export class ListDisputesAnswer extends DashboardPage {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DisputeAnswer)
  disputes!: DisputeAnswer[];
}

export class RespondToDisputeBody {
  @Describe('What the merchant answers.', 'It was handed over on 3 May; the receipt is attached.')
  @IsString()
  @MinLength(1)
  @MaxLength(WORDS_MAX)
  response!: string;

  @Describe('Anything that shows it: at most 50 keys and 16 KiB.')
  @IsOptional()
  @IsMetadata()
  evidence?: Record<string, unknown>;
}

export class IssueDisputeRefundAnswer {
  @IsIdOf(uuidIds) dispute_id!: string;
  @ValidateNested() @Type(() => RefundAnswer) refund!: RefundAnswer;
  @Describe('The status of the dispute.') @IsIn(DISPUTE_STATUSES) status!: DisputeStatus;
}

export const DISPUTE_OUTCOMES = ['merchant_favor', 'customer_favor', 'closed'] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

export class ResolveDisputeBody {
  @IsIn(DISPUTE_OUTCOMES) outcome!: DisputeOutcome;

  @Describe('Shown to the merchant.', 'The parcel was found.')
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(WORDS_MAX)
  resolution_notes?: string;

  @Describe('How much of the payment is refunded, too. Without it no money moves; not allowed with `merchant_favor`.', 10.5)
  @IsOptional()
  @IsUsdAmount()
  refund_amount_usd?: number;

  @IsReason() reason!: string;
}

const ofPayment = {
  context: 'refunds-disputes',
  method: 'POST',
  auth: 'public',
  limit: 'public',
  idempotent: true,
  objects: { payment_id: paymentIds },
  tag: 'Disputes',
} as const;

export const requestDisputeCode = route({
  ...ofPayment,
  id: 'requestDisputeCode',
  path: '/api/v1/payments/{payment_id}/dispute/request-otp',
  body: RequestDisputeCodeBody,
  answers: { 200: RequestDisputeCodeAnswer },
  refusals: ['not_found', 'rate_limit_exceeded', 'service_unavailable'],
  summary: 'Request the code of six digits that opens a dispute; it comes by mail',
});

export const openDispute = route({
  ...ofPayment,
  id: 'openDispute',
  path: '/api/v1/payments/{payment_id}/dispute',
  body: OpenDisputeBody,
  answers: { 201: DisputeAnswer },
  refusals: [
    'not_found',
    'otp_invalid',
    'rate_limit_exceeded',
    'payment_not_disputable',
    'wallet_mismatch',
    'dispute_exists',
    'service_unavailable',
  ],
  summary: 'Open a dispute about a payment, with the code that was sent',
});

const MINE = '/api/v1/merchants/me/disputes';

/** Reads of the dashboard take a key, too (specification §2.13). */
const disputes = { context: 'refunds-disputes', tag: 'Disputes' } as const;
const reading = { ...disputes, auth: 'key', method: 'GET', limit: 'read', idempotent: false } as const;

export const listDisputes = route({
  ...reading,
  id: 'listDisputes',
  path: MINE,
  query: ListDisputesQuery,
  answers: { 200: ListDisputesAnswer },
  refusals: [],
  summary: 'The merchant’s disputes, newest first, for the dashboard; takes a key',
});

export const getDispute = route({
  ...reading,
  id: 'getDispute',
  path: `${MINE}/{id}`,
  objects: { id: uuidIds },
  answers: { 200: DisputeAnswer },
  refusals: ['not_found'],
  summary: 'One dispute, for the dashboard; takes a key',
});

const bySession = {
  ...disputes,
  auth: 'session',
  method: 'POST',
  limit: 'other',
  idempotent: true,
  objects: { id: uuidIds },
} as const;

export const respondToDispute = route({
  ...bySession,
  id: 'respondToDispute',
  path: `${MINE}/{id}/respond`,
  body: RespondToDisputeBody,
  answers: { 200: DisputeAnswer },
  refusals: ['not_found', 'invalid_dispute_state', 'dispute_already_resolved'],
  summary: 'Respond to a dispute as its merchant, once',
});

export const issueDisputeRefund = route({
  ...bySession,
  id: 'issueDisputeRefund',
  path: `${MINE}/{id}/issue-refund`,
  body: RefundBody,
  answers: { 201: IssueDisputeRefundAnswer },
  refusals: ['not_found', 'dispute_already_resolved', ...REFUND_REFUSALS, 'service_unavailable'],
  summary: 'Give the customer money back, which resolves the dispute in the customer’s favour',
});

export const resolveDispute = route({
  id: 'resolveDispute',
  method: 'POST',
  path: '/admin/disputes/{id}/resolve',
  context: 'refunds-disputes',
  auth: 'admin',
  limit: 'none',
  idempotent: true,
  body: ResolveDisputeBody,
  answers: { 200: DisputeAnswer },
  refusals: ['not_found', 'dispute_already_resolved', ...REFUND_REFUSALS, 'service_unavailable'],
  summary: 'Decide a dispute, with a refund where one is named',
  tag: 'Admin',
});

export const disputesRoutes = [
  requestDisputeCode,
  openDispute,
  listDisputes,
  getDispute,
  respondToDispute,
  issueDisputeRefund,
  resolveDispute,
] as const;
