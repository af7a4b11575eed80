import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, ValidateNested } from 'class-validator';
import { CURRENCIES, MODES, TOKENS, type Currency, type Mode, type Token } from '@tender/kernel';
import { fact } from './fact';
import {
  Describe,
  IsBaseUnits,
  IsMetadata,
  IsNull,
  IsTime,
  OrNull,
  WebhookPlace,
  without,
} from './validation';

export const PAYMENT_STATUSES = ['pending', 'confirmed', 'failed', 'expired'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * The payment in facts, and the base of answers to clients. Topics hold records of every release: a field that is
 * added here is optional; one that only answers must have belongs in `PaymentAnswer`.
 */
export class PaymentSnapshot {
  @WebhookPlace(1) @IsString() id!: string;
  @WebhookPlace(2) @IsString() merchant_id!: string;
  @WebhookPlace(14) @Describe('In `currency`.') @IsNumber() amount!: number;
  @WebhookPlace(3) @IsNumber() amount_usd!: number;
  @WebhookPlace(15) @IsIn(CURRENCIES) currency!: Currency;
  /** Null for USD. */
  @WebhookPlace(16)
  @Describe('USD per unit of the currency.')
  @OrNull()
  @IsNumber()
  exchange_rate!: number | null;
  @WebhookPlace(7) @IsIn(TOKENS) payment_token!: Token;
  /** What is due. */
  @WebhookPlace(17) @IsBaseUnits() token_amount!: string;
  /** Null for SOL. */
  @WebhookPlace(18) @OrNull() @IsString() token_mint!: string | null;
  @WebhookPlace(4) @IsIn(PAYMENT_STATUSES) status!: PaymentStatus;
  @WebhookPlace(9) @OrNull() @IsString() description!: string | null;
  @IsString() payment_url!: string;
  /** A Solana Pay transfer request. */
  @IsString() qr_code!: string;
  @WebhookPlace(19) @IsString() reference!: string;
  /** The wallet that is paid. */
  @IsString() wallet_address!: string;
  @WebhookPlace(10) @IsMetadata() metadata!: object;
  @WebhookPlace(8) @IsIn(MODES) mode!: Mode;
  @WebhookPlace(12) @IsTime() created_at!: string;
  @WebhookPlace(13) @IsTime() expires_at!: string;
  @WebhookPlace(5) @OrNull() @IsString() transaction_signature!: string | null;
  /** The block’s time. */
  @WebhookPlace(20) @OrNull() @IsTime() confirmed_at!: string | null;
  @WebhookPlace(6) @OrNull() @IsString() customer_wallet!: string | null;
  @WebhookPlace(11) @IsNull() splits!: null;
  @Describe('The shop’s own name for the order.')
  @IsOptional()
  @OrNull()
  @IsString()
  external_id?: string | null;
  @IsOptional() @OrNull() @IsString() return_url?: string | null;
  @IsOptional() @OrNull() @IsString() cancel_url?: string | null;
  @Describe('Of the link that it was made from.')
  @IsOptional()
  @OrNull()
  @IsString()
  payment_link_id?: string | null;
  @IsOptional() @OrNull() @IsString() link_code?: string | null;
  @Describe('Of the intent that it pays.')
  @IsOptional()
  @OrNull()
  @IsString()
  payment_intent_id?: string | null;
}

/** What a webhook shows of a payment: all but what only its payer needs. */
export class WebhookPayment extends without(
  PaymentSnapshot,
  'payment_url',
  'qr_code',
  'wallet_address',
  'return_url',
  'cancel_url',
) {}

export class PaymentFact {
  @ValidateNested() @Type(() => PaymentSnapshot) payment!: PaymentSnapshot;
  @Describe('Takes the place of the merchant’s.')
  @OrNull()
  @IsString()
  webhook_url!: string | null;
}

export const resourceOfPayment = ({ payment, webhook_url }: PaymentFact) => ({
  resource_id: payment.id,
  merchant_id: payment.merchant_id,
  payment_id: payment.id,
  webhook_url,
});

/** Each shows the payment as it is right after the event. */
function paymentFact<const Type extends string, const Name extends string>(type: Type, name: Name) {
  return fact(type, {
    data: PaymentFact,
    webhook: {
      name,
      fills: { payment: [WebhookPayment, ({ payment }) => payment] },
      resource: resourceOfPayment,
    },
  });
}

export const paymentCreated = paymentFact('payments.payment-created.v1', 'PaymentCreated');
export const paymentConfirmed = paymentFact('payments.payment-confirmed.v1', 'PaymentConfirmed');
export const paymentFailed = paymentFact('payments.payment-failed.v1', 'PaymentFailed');
export const paymentExpired = paymentFact('payments.payment-expired.v1', 'PaymentExpired');

/** The chain is searched for this signature, and what was signed is sent until it lands or never can. */
export class TransactionSubmittedFact {
  @IsString() payment_id!: string;
  @IsString() merchant_id!: string;
  @IsString() transaction_signature!: string;
  @OrNull() @IsString() customer_wallet!: string | null;
  @Describe('The service built it and the bound wallet signed it: without the due effect it fails the payment.')
  @IsBoolean()
  is_ours!: boolean;
  @Describe('To be sent, base64; null where the wallet or the sponsor sends it.')
  @OrNull()
  @IsString()
  signed_transaction!: string | null;
  @OrNull() @IsInt() last_valid_block_height!: number | null;
  @IsTime() expires_at!: string;
}

export const transactionSubmitted = fact('payments.transaction-submitted.v1', {
  data: TransactionSubmittedFact,
});

export const CANCELERS = ['merchant', 'system'] as const;
export type HoldCanceler = (typeof CANCELERS)[number];

/** The held money of a payment goes back to who paid it, whole: it is refunded next. */
export class HoldCanceledFact extends PaymentFact {
  @IsIn(CANCELERS) canceled_by!: HoldCanceler;
}

export const holdCanceled = fact('payments.hold-canceled.v1', { data: HoldCanceledFact });

export const paymentsFacts = [
  paymentCreated,
  paymentConfirmed,
  paymentFailed,
  paymentExpired,
  holdCanceled,
  transactionSubmitted,
] as const;
