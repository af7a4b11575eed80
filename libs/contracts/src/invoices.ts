import { MODES, TOKENS, type Mode, type Token } from '@tender/kernel';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
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
import { INVOICE_STATUSES, type InvoiceStatus } from './invoices.facts';
import { LOCALES, type Locale } from './locales';
import { prefixedIds } from './object-ids';
import { LINK_USES_MAX } from './payment-links';
import { IsOwnData, IsTokenChoice } from './payment-terms';
import {
  Describe,
  IsEmailAddress,
  IsIdOf,
  IsMetadata,
  IsName,
  IsQuantity,
  IsTime,
  IsUsdAmount,
  IsZonedTime,
  NotYetSupported,
  OrNull,
} from './validation';

const LINE_ITEMS_MAX = 200;
const DESCRIPTION_MAX = 500;

export class LineItemBody {
  @Describe('What is billed.', 'Hours in January') @IsName(DESCRIPTION_MAX) description!: string;
  @Describe('Above 0, with at most 6 decimals.', 1.5) @IsQuantity() quantity!: number;
  @Describe('USD, above 0, with at most 2 decimals.', 60) @IsUsdAmount() unit_price!: number;
}

export class CreateInvoiceBody {
  @Describe('Whom it is for and sent to.', 'ada@example.com')
  @IsEmailAddress()
  customer_email!: string;

  @Describe('As it stands on the invoice.', 'Ada Obi')
  @IsOptional()
  @IsName(200)
  customer_name?: string;

  @Describe('The total in USD: above 0, with at most 2 decimals.', 100.5)
  @IsUsdAmount()
  amount!: number;

  @IsTokenChoice()
  token?: Token;

  @Describe('What it is for; shown on the invoice and on checkout.', 'Work in January')
  @IsName(DESCRIPTION_MAX)
  description!: string;

  @Describe('With them, quantity times unit price must sum to the amount, rounded half up to cents.')
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(LINE_ITEMS_MAX)
  @ValidateNested({ each: true })
  @Type(() => LineItemBody)
  line_items?: LineItemBody[];

  @Describe('Within ten years. Not paid by the end of that day, UTC, it is overdue.')
  @IsOptional()
  @IsZonedTime()
  due_date?: string;

  @IsOwnData()
  metadata?: Record<string, unknown>;

  @Describe('How often it can be paid by its link; 1 unless told.')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(LINK_USES_MAX)
  payment_link_max_uses?: number;

  @Describe('Checkout asks for the customer’s details.')
  @IsOptional()
  @IsBoolean()
  collect_customer_info?: boolean;

  @Describe('Of the invoice and its mails; en unless told.')
  @IsOptional()
  @IsIn(LOCALES)
  locale?: Locale;

  @Describe('Only false is supported yet.') @IsOptional() @IsBoolean() onramp?: boolean;

  @Describe('Only false is supported yet.')
  @IsOptional()
  @IsBoolean()
  payer_service_charge?: boolean;

  @NotYetSupported() @IsNumber() amount_ngn?: number;
}

export const invoiceIds = prefixedIds('inv', 'first id');

export class LineItemAnswer {
  @IsString() description!: string;
  @IsNumber() quantity!: number;
  @IsNumber() unit_price!: number;
}

export class InvoiceAnswer {
  @IsIdOf(invoiceIds) id!: string;
  @Describe('Per year, UTC, without gaps.', 'INV-2026-000001') @IsString() invoice_number!: string;
  @Describe('Null once the customer was erased.') @OrNull() @IsString() customer_email!: string | null;
  @OrNull() @IsString() customer_name!: string | null;
  @IsNumber() amount_usd!: number;
  @IsIn(['USD']) currency!: 'USD';
  @IsIn(TOKENS) token!: Token;
  @IsString() description!: string;
  @OrNull()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LineItemAnswer)
  line_items!: LineItemAnswer[] | null;
  @IsIn(INVOICE_STATUSES) status!: InvoiceStatus;
  @Describe('Null until it is sent.') @OrNull() @IsString() payment_url!: string | null;
  @OrNull() @IsTime() due_date!: string | null;
  @OrNull() @IsTime() sent_at!: string | null;
  @Describe('Also of one that was cancelled while a payment was under way.')
  @OrNull()
  @IsTime()
  paid_at!: string | null;
  @IsTime() created_at!: string;
  @IsBoolean() onramp!: boolean;
  @Describe('Null: 1.') @OrNull() @IsInt() payment_link_max_uses!: number | null;
  @IsBoolean() collect_customer_info!: boolean;
  @IsBoolean() payer_service_charge!: boolean;
  @OrNull() @IsNumber() amount_ngn!: number | null;
  @IsIn(LOCALES) locale!: Locale;
  @IsMetadata() metadata!: object;
  @IsIn(MODES) mode!: Mode;
}

/** What becomes of an invoice when it is sent, or sent again. */
export class SendInvoiceAnswer {
  @IsBoolean() success!: boolean;
  @IsIdOf(invoiceIds) invoice_id!: string;
  @IsString() invoice_number!: string;
  @Describe('Null once the customer was erased.') @OrNull() @IsString() sent_to!: string | null;
  @IsString() payment_url!: string;
  @IsIn(INVOICE_STATUSES) status!: InvoiceStatus;
  @IsBoolean() onramp!: boolean;
  @IsInt() max_uses!: number;
}
