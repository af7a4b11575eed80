import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { CURRENCIES, MODES, TOKENS, type Currency, type Mode, type Token } from '@tender/kernel';
import { CheckoutDataAnswer } from './checkout';
import { Customer, CustomerAnswer } from './customer';
import { codeIds, codeOrUuid, uuidIds } from './object-ids';
import { IsAmountInCurrency, IsCurrencyChoice, IsOwnData, IsShownText, IsTokenChoice } from './payment-terms';
import { route } from './route';
import {
  Describe,
  IsExternalId,
  IsIdOf,
  IsMetadata,
  IsPageUrl,
  IsTime,
  IsZonedTime,
  NotYetSupported,
  OrNull,
  PageQuery,
} from './validation';

/** Holds and uses of one link are one stream, which each payment reads. */
export const LINK_USES_MAX = 1_000_000;

export class CreatePaymentLinkBody {
  @IsAmountInCurrency()
  amount!: number;

  @IsCurrencyChoice('for each payment')
  currency?: Currency;

  @IsTokenChoice()
  token?: Token;

  @IsShownText('Order 42')
  description?: string;

  @Describe('Without it the link may be paid any number of times.')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(LINK_USES_MAX)
  max_uses?: number;

  @Describe('From then on it makes no payments. Within ten years.')
  @IsOptional()
  @IsZonedTime()
  expires_at?: string;

  @IsOwnData('which its payments have, too')
  metadata?: Record<string, unknown>;

  @Describe('Checkout asks for the customer’s details.')
  @IsOptional()
  @IsBoolean()
  collect_customer_info?: boolean;

  @Describe('Whose link it is: it is used once, and checkout asks for no details.')
  @IsOptional()
  @ValidateNested()
  @Type(() => Customer)
  customer?: Customer;

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

  @Describe('Only false is supported yet.') @IsOptional() @IsBoolean() onramp?: boolean;

  @Describe('Only false is supported yet.')
  @IsOptional()
  @IsBoolean()
  payer_service_charge?: boolean;

  @NotYetSupported() @IsNumber() amount_ngn?: number;
  @NotYetSupported() @IsArray() split_recipients?: unknown[];
}

export const LINK_STATUSES = ['active', 'expired', 'exhausted', 'closed'] as const;
export type PaymentLinkStatus = (typeof LINK_STATUSES)[number];

export class PaymentLinkAnswer {
  @IsIdOf(uuidIds) id!: string;
  @IsIdOf(codeIds) link_code!: string;
  @OrNull() @IsString() description!: string | null;
  @IsNumber() amount!: number;
  @IsIn(CURRENCIES) currency!: Currency;
  @IsIn(TOKENS) token!: Token;
  @Describe('To be shared with customers.') @IsString() hosted_page_url!: string;
  @IsString() payment_url!: string;
  @Describe('Null: any number.') @OrNull() @IsInt() max_uses!: number | null;
  @Describe('Its payments that are pending or confirmed.') @IsInt() uses_count!: number;
  @OrNull() @IsTime() expires_at!: string | null;
  @IsBoolean() is_active!: boolean;
  @IsIn(LINK_STATUSES) status!: PaymentLinkStatus;
  @IsBoolean() onramp!: boolean;
  @IsBoolean() payer_service_charge!: boolean;
  @IsBoolean() collect_customer_info!: boolean;
  @Describe('Masked for those who are not the merchant.')
  @OrNull()
  @ValidateNested()
  @Type(() => CustomerAnswer)
  customer_data!: CustomerAnswer | null;
  @OrNull() @IsString() external_id!: string | null;
  @OrNull() @IsString() return_url!: string | null;
  @OrNull() @IsString() cancel_url!: string | null;
  @IsArray() split_recipients!: never[];
  @IsIn(MODES) mode!: Mode;
  @IsTime() created_at!: string;
  @IsTime() updated_at!: string;
  @Describe('Only for the merchant.') @IsOptional() @IsMetadata() metadata?: object;
}

const links = { context: 'payments', tag: 'Payment links' } as const;
/** By its code, which is in its URL, or by its id. */
const named = { objects: { link_code: codeOrUuid }, not_found: 'payment_link_not_found' } as const;

export const createPaymentLink = route({
  ...links,
  id: 'createPaymentLink',
  method: 'POST',
  path: '/api/v1/payment-links',
  auth: 'key',
  limit: 'other',
  idempotent: true,
  body: CreatePaymentLinkBody,
  answers: { 201: PaymentLinkAnswer },
  refusals: ['wallet_not_ready', 'amount_too_large'],
  summary: 'Create a payment link',
});

export const listPaymentLinks = route({
  ...links,
  id: 'listPaymentLinks',
  method: 'GET',
  path: '/api/v1/payment-links',
  auth: 'key',
  limit: 'read',
  idempotent: false,
  query: PageQuery,
  answers: { 200: [PaymentLinkAnswer] },
  refusals: [],
  summary: 'The merchant’s payment links, newest first',
});

export const getPaymentLink = route({
  ...links,
  ...named,
  id: 'getPaymentLink',
  method: 'GET',
  path: '/api/v1/payment-links/{link_code}',
  auth: 'key_or_nobody',
  limit: 'read',
  idempotent: false,
  answers: { 200: PaymentLinkAnswer },
  refusals: ['payment_link_not_found'],
  summary: 'One payment link, by its code or its id; a key is not needed',
});

export const payPaymentLink = route({
  ...links,
  ...named,
  id: 'payPaymentLink',
  method: 'POST',
  path: '/api/v1/payment-links/{link_code}/pay',
  auth: 'public',
  limit: 'public',
  idempotent: true,
  answers: { 200: CheckoutDataAnswer, 201: CheckoutDataAnswer },
  refusals: [
    'payment_blocked',
    'payment_link_not_found',
    'payment_link_expired',
    'payment_link_exhausted',
    'payment_link_closed',
    'payment_blocked',
    'wallet_not_ready',
    'amount_too_large',
    'too_many_open_payments',
    'service_unavailable',
  ],
  summary: 'Begin a payment by a link, or go on with the open one of a link that stands for one thing',
});

export const paymentLinksRoutes = [
  createPaymentLink,
  listPaymentLinks,
  getPaymentLink,
  payPaymentLink,
] as const;
