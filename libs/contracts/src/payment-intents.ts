import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { type Currency } from '@tender/kernel';
import { intentIds, paymentIds } from './payment-ids';
import {
  CAPTURE_METHODS,
  INTENT_STATUSES,
  PAYMENT_TYPES,
  PaymentIntentSnapshot,
  type CaptureMethod,
  type PaymentIntentStatus,
  type PaymentType,
} from './payment-intents.facts';
import { IsAmountInCurrency, IsCurrencyChoice, IsOwnData, IsShownText } from './payment-terms';
import { route } from './route';
import {
  Describe,
  IsBase58Address,
  IsIdOf,
  IsMetadata,
  IsTime,
  OrNull,
  PageQuery,
  Pagination,
} from './validation';
import { eventIds } from './webhook-dispatcher';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const CLIENT_SECRET_CHARACTERS_MAX = 200;

export class CreatePaymentIntentBody {
  @IsAmountInCurrency()
  amount!: number;

  @IsCurrencyChoice('when the intent is confirmed')
  currency?: Currency;

  @IsShownText('Order 42')
  description?: string;

  @Describe(
    '`automatic` by default. `manual`: the money is held until the intent is captured or canceled, for 7 days at most.',
    'automatic',
  )
  @IsOptional()
  @IsIn(CAPTURE_METHODS)
  capture_method?: CaptureMethod;

  @Describe('How long it can be confirmed; a day unless told.', 3600)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(YEAR_SECONDS)
  expires_in_seconds?: number;

  @IsOwnData('which its payment has, too')
  metadata?: Record<string, unknown>;
}

export class PaymentIntentAnswer extends PaymentIntentSnapshot {
  @IsIdOf(intentIds) declare id: string;
}

export class CreatePaymentIntentAnswer extends PaymentIntentAnswer {
  @Describe('It confirms the intent. Shown here and never again.')
  @IsString()
  client_secret!: string;
}

export class ConfirmPaymentIntentBody {
  @Describe('The wallet that pays.') @IsBase58Address() customer_wallet!: string;

  @Describe('As it was answered when the intent was made.')
  @IsString()
  @MinLength(1)
  @MaxLength(CLIENT_SECRET_CHARACTERS_MAX)
  client_secret!: string;

  @Describe('`direct` unless told. `gasless`: the service pays the network fee where it can.')
  @IsOptional()
  @IsIn(PAYMENT_TYPES)
  payment_type?: PaymentType;

  @Describe('The service pays the network fee where it can, whatever the type.', false)
  @IsOptional()
  @IsBoolean()
  auto_gasless?: boolean;

  @Describe('Added to what the intent has; a key that both have is this one’s.')
  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, unknown>;
}

export class NextAction {
  @IsIn(['sign_transaction']) type!: 'sign_transaction';
  @Describe('For the wallet to sign, base64.') @IsString() transaction!: string;
  @Describe('Says to the customer what is signed.') @IsString() message!: string;
  @IsBoolean() is_gasless!: boolean;
  @Describe(
    'True: hand it to submit-gasless-transaction of the payment. False: the wallet may send it itself.',
  )
  @IsBoolean()
  requires_backend_submission!: boolean;
}

export class ConfirmPaymentIntentAnswer extends PaymentIntentAnswer {
  @IsIdOf(paymentIds) declare payment_id: string;
  @Describe('Null where the payment has gone on by now.')
  @OrNull()
  @ValidateNested()
  @Type(() => NextAction)
  next_action!: NextAction | null;
}

export class ListPaymentIntentsQuery extends PageQuery {
  @IsOptional() @IsIn(INTENT_STATUSES) status?: PaymentIntentStatus;
}

export class ListPaymentIntentsAnswer {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PaymentIntentAnswer)
  data!: PaymentIntentAnswer[];
  @ValidateNested() @Type(() => Pagination) pagination!: Pagination;
}

/** What has happened to an intent, as its webhook tells it. */
export class PaymentIntentEventAnswer {
  @Describe('That of the webhook, too.') @IsIdOf(eventIds) id!: string;
  @IsIdOf(intentIds) payment_intent_id!: string;
  @Describe('The name of the webhook.', 'PaymentIntentCreated') @IsString() event_type!: string;
  @Describe('The intent right after the event.')
  @ValidateNested()
  @Type(() => PaymentIntentSnapshot)
  data!: PaymentIntentSnapshot;
  @IsTime() created_at!: string;
}

const intents = { context: 'payments', auth: 'key', tag: 'Payment intents' } as const;
const reading = { ...intents, method: 'GET', limit: 'read', idempotent: false } as const;
const posting = { ...intents, method: 'POST', limit: 'other', idempotent: true } as const;
const named = { objects: { id: intentIds } } as const;

export const createPaymentIntent = route({
  ...posting,
  id: 'createPaymentIntent',
  path: '/api/v1/payment-intents',
  body: CreatePaymentIntentBody,
  answers: { 201: CreatePaymentIntentAnswer },
  refusals: ['wallet_not_ready', 'amount_too_large'],
  summary: 'Create a payment intent',
});

export const listPaymentIntents = route({
  ...reading,
  id: 'listPaymentIntents',
  path: '/api/v1/payment-intents',
  query: ListPaymentIntentsQuery,
  answers: { 200: ListPaymentIntentsAnswer },
  refusals: [],
  summary: 'The merchant’s payment intents, newest first',
});

export const getPaymentIntent = route({
  ...reading,
  ...named,
  id: 'getPaymentIntent',
  path: '/api/v1/payment-intents/{id}',
  answers: { 200: PaymentIntentAnswer },
  refusals: ['not_found'],
  summary: 'One payment intent',
});

export const listPaymentIntentEvents = route({
  ...reading,
  ...named,
  id: 'listPaymentIntentEvents',
  path: '/api/v1/payment-intents/{id}/events',
  answers: { 200: [PaymentIntentEventAnswer] },
  refusals: ['not_found'],
  summary: 'What has happened to a payment intent, oldest first',
});

export const confirmPaymentIntent = route({
  ...posting,
  ...named,
  id: 'confirmPaymentIntent',
  path: '/api/v1/payment-intents/{id}/confirm',
  body: ConfirmPaymentIntentBody,
  answers: { 200: ConfirmPaymentIntentAnswer },
  refusals: [
    'forbidden',
    'payment_blocked',
    'not_found',
    'invalid_intent_state',
    'wallet_not_ready',
    'invalid_payment_state',
    'amount_too_large',
    'service_unavailable',
  ],
  // Nothing is stored that is blocked, and the intent can be confirmed for another wallet.
  statuses: { payment_blocked: 403 },
  summary: 'Confirm a payment intent: its payment, and the transaction for the wallet to sign',
});

export const cancelPaymentIntent = route({
  ...posting,
  ...named,
  id: 'cancelPaymentIntent',
  path: '/api/v1/payment-intents/{id}/cancel',
  answers: { 200: PaymentIntentAnswer },
  refusals: ['not_found', 'invalid_intent_state'],
  summary: 'Cancel a payment intent that was not confirmed, or whose money is held; held money goes back',
});

export const capturePaymentIntent = route({
  ...posting,
  ...named,
  id: 'capturePaymentIntent',
  path: '/api/v1/payment-intents/{id}/capture',
  answers: { 200: PaymentIntentAnswer },
  refusals: ['not_found', 'invalid_intent_state'],
  summary: 'Take the money that a payment intent holds: it goes to the merchant’s own wallet',
});

export const paymentIntentsRoutes = [
  createPaymentIntent,
  listPaymentIntents,
  getPaymentIntent,
  listPaymentIntentEvents,
  confirmPaymentIntent,
  cancelPaymentIntent,
  capturePaymentIntent,
] as const;
