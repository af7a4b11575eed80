import { Type } from 'class-transformer';
import { IsBoolean, IsEmail, IsIn, IsNumber, IsString, ValidateNested } from 'class-validator';
import { CURRENCIES, MODES, TOKENS, type Currency, type Mode, type Token } from '@tender/kernel';
import { Customer, CustomerAnswer } from './customer';
import { codeIds, uuidIds } from './object-ids';
import { paymentIds } from './payment-ids';
import { PAYMENT_STATUSES, type PaymentStatus } from './payments.facts';
import { route } from './route';
import {
  Describe,
  IsBase58Address,
  IsBaseUnits,
  IsIdOf,
  IsNull,
  IsTime,
  OrNull,
} from './validation';

/** What a customer's browser needs to pay; nothing that is the shop's alone. */
export class CheckoutDataAnswer {
  @IsIdOf(paymentIds) payment_id!: string;
  @IsString() merchant_name!: string;
  @IsIdOf(uuidIds) merchant_id!: string;
  @IsEmail() support_email!: string;
  @Describe('In `currency`.') @IsNumber() amount!: number;
  @IsNumber() amount_usd!: number;
  @IsIn(CURRENCIES) currency!: Currency;
  @IsIn(TOKENS) token!: Token;
  @IsBaseUnits() token_amount!: string;
  @Describe('Null for SOL.') @OrNull() @IsString() token_mint!: string | null;
  @OrNull() @IsString() description!: string | null;
  @Describe('A Solana Pay transfer request.') @IsString() qr_code!: string;
  @IsString() payment_url!: string;
  @IsBase58Address() wallet_address!: string;
  @IsBase58Address() reference!: string;
  @IsTime() expires_at!: string;
  @IsIn(PAYMENT_STATUSES) status!: PaymentStatus;
  @IsIn(MODES) mode!: Mode;
  @IsString() solana_network!: string;
  @IsBoolean() onramp!: boolean;
  @IsNull() amount_ngn!: null;
  @IsNull() service_charge_ngn!: null;
  @OrNull() @IsIdOf(uuidIds) payment_link_id!: string | null;
  @OrNull() @IsIdOf(codeIds) link_code!: string | null;
  @Describe('Customer info is to be sent before a transaction is built, unless `customer_data` is there.')
  @IsBoolean()
  collect_customer_info!: boolean;
  @Describe('Masked.')
  @OrNull()
  @ValidateNested()
  @Type(() => CustomerAnswer)
  customer_data!: CustomerAnswer | null;
  @Describe('The service pays network fees now: a transaction without one may be asked for.') @IsBoolean() allow_gasless!: boolean;
}

export class CustomerInfoAnswer {
  @IsIdOf(paymentIds) payment_id!: string;
  @IsIn([true]) collected!: true;
}

const checkout = {
  context: 'payments',
  auth: 'public',
  limit: 'public',
  objects: { id: paymentIds },
  tag: 'Checkout',
} as const;

export const getCheckoutData = route({
  ...checkout,
  id: 'getCheckoutData',
  method: 'GET',
  path: '/api/v1/payments/{id}/checkout-data',
  idempotent: false,
  answers: { 200: CheckoutDataAnswer },
  refusals: ['not_found', 'service_unavailable'],
  summary: 'What a customer needs to pay; no credential',
});

export const collectCustomerInfo = route({
  ...checkout,
  id: 'collectCustomerInfo',
  method: 'POST',
  path: '/api/v1/payments/{id}/customer-info',
  idempotent: true,
  body: Customer,
  answers: { 200: CustomerInfoAnswer },
  refusals: ['not_found', 'invalid_payment_state', 'customer_info_set', 'payment_expired'],
  summary: 'Who pays; the first one that is told stays',
});

export const checkoutRoutes = [getCheckoutData, collectCustomerInfo] as const;
