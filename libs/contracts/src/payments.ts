import { Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { TOKENS, type Currency, type Token } from '@tender/kernel';
import {
  PAYMENT_STATUSES,
  PaymentSnapshot,
  type PaymentStatus,
} from './payments.facts';
import { paymentIds } from './payment-ids';
import { explainPayment } from './payment-story';
import { IsAmountInCurrency, IsCurrencyChoice, IsOwnData, IsShownText, IsTokenChoice } from './payment-terms';
import { receiptsRoutes } from './receipts';
import { route } from './route';
import {
  Describe,
  IsBase58Address,
  IsEmailAddress,
  IsExternalId,
  IsIdOf,
  IsPageUrl,
  IsZonedTime,
  NotYetSupported,
  OrNull,
  PageQuery,
  Pagination,
} from './validation';


export class CreatePaymentBody {
  @IsAmountInCurrency()
  amount!: number;

  @IsCurrencyChoice('once, now')
  currency?: Currency;

  @IsTokenChoice()
  token?: Token;

  @IsShownText('Order 42')
  description?: string;

  @IsOwnData()
  metadata?: Record<string, unknown>;

  @Describe('Takes the place of the merchant’s webhook URL for this payment.')
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(2048)
  webhook_url?: string;

  @IsOptional()
  @IsEmailAddress()
  customer_email?: string;

  @Describe('The shop’s own name for the order; not unique.', 'order-42')
  @IsOptional()
  @IsExternalId()
  external_id?: string;

  @Describe('Checkout offers to go there after the payment.')
  @IsOptional()
  @IsPageUrl()
  return_url?: string;

  @Describe('Checkout offers to go back there.')
  @IsOptional()
  @IsPageUrl()
  cancel_url?: string;

  @NotYetSupported()
  @IsArray()
  split_recipients?: unknown[];
}

/** The fields of the specification’s payment; null while empty. What only answers have is declared here. */
export class PaymentAnswer extends PaymentSnapshot {
  @IsIdOf(paymentIds) declare id: string;
  @IsBase58Address() declare reference: string;
  @IsBase58Address() declare wallet_address: string;
}

/** Also under the names of the earlier variant (specification §1.14). */
export class CreatePaymentAnswer extends PaymentAnswer {
  @IsIdOf(paymentIds) payment_id!: string;
  @IsIn(TOKENS) token!: Token;
}

export class GetPaymentQuery {
  @Describe('As it was at that time, in business time: not there before it was created.')
  @IsOptional()
  @IsZonedTime()
  as_of?: string;
}

export class PaymentStatusAnswer {
  @IsIdOf(paymentIds) id!: string;
  @IsIn(PAYMENT_STATUSES) status!: PaymentStatus;
  @OrNull() @IsString() transaction_signature!: string | null;
}

export class ListPaymentsQuery extends PageQuery {
  @IsOptional() @IsExternalId() external_id?: string;
}

export class ListPaymentsAnswer {
  @IsArray() @ValidateNested({ each: true }) @Type(() => PaymentAnswer) data!: PaymentAnswer[];
  @ValidateNested() @Type(() => Pagination) pagination!: Pagination;
}

const keyed = { context: 'payments', auth: 'key', tag: 'Payments' } as const;
const reading = { ...keyed, method: 'GET', limit: 'read', idempotent: false } as const;

export const createPayment = route({
  ...keyed,
  id: 'createPayment',
  method: 'POST',
  path: '/api/v1/payments',
  limit: 'creation',
  idempotent: true,
  body: CreatePaymentBody,
  answers: { 200: CreatePaymentAnswer },
  refusals: ['payment_blocked', 'wallet_not_ready', 'amount_too_large', 'service_unavailable'],
  summary: 'Create a payment',
});

export const getPayment = route({
  ...reading,
  id: 'getPayment',
  path: '/api/v1/payments/{id}',
  objects: { id: paymentIds },
  query: GetPaymentQuery,
  answers: { 200: PaymentAnswer },
  refusals: ['not_found'],
  summary: 'One payment, as it is or as it was',
});

export const getPaymentStatus = route({
  id: 'getPaymentStatus',
  method: 'GET',
  path: '/api/v1/payments/{id}/status',
  context: 'payments',
  auth: 'public',
  limit: 'status',
  idempotent: false,
  objects: { id: paymentIds },
  answers: { 200: PaymentStatusAnswer },
  refusals: ['not_found'],
  summary: 'A payment’s status, for polling; no credential',
  tag: 'Payments',
});

export const streamPaymentStatus = route({
  id: 'streamPaymentStatus',
  method: 'GET',
  path: '/api/v1/payments/{id}/status/stream',
  context: 'payments',
  auth: 'public',
  limit: 'status',
  idempotent: false,
  stream: true,
  objects: { id: paymentIds },
  // 204: the client’s `Last-Event-ID` is of a last status, so there is nothing more to hear.
  answers: { 200: null, 204: null },
  refusals: ['not_found'],
  summary: 'A payment’s status as server-sent events, each as it changes; no credential',
  tag: 'Payments',
});

export const listPayments = route({
  ...reading,
  id: 'listPayments',
  path: '/api/v1/payments',
  query: ListPaymentsQuery,
  answers: { 200: ListPaymentsAnswer },
  refusals: [],
  summary: 'The merchant’s payments, newest first',
});

export const paymentsRoutes = [
  createPayment,
  getPayment,
  getPaymentStatus,
  streamPaymentStatus,
  listPayments,
  explainPayment,
  ...receiptsRoutes,
] as const;
