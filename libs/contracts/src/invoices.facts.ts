import { MODES, TOKENS, type Mode, type Token } from '@tender/kernel';
import { Type } from 'class-transformer';
import { IsIn, IsNumber, IsString, ValidateNested } from 'class-validator';
import { fact } from './fact';
import { OrNull } from './validation';

export const INVOICE_STATUSES = ['draft', 'sent', 'overdue', 'paid', 'cancelled'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/**
 * An invoice as merchants hear of it. Topics hold records of every release: a field that is added here is optional.
 */
export class InvoiceSnapshot {
  @IsString() invoice_id!: string;
  @IsString() merchant_id!: string;
  @IsString() invoice_number!: string;
  /** Sealed in facts, for they stay; opened where the merchant is told. */
  @OrNull() @IsString() customer_email!: string | null;
  @OrNull() @IsString() customer_name!: string | null;
  @IsNumber() amount_usd!: number;
  @IsIn(TOKENS) token!: Token;
  @IsIn(INVOICE_STATUSES) status!: InvoiceStatus;
  @OrNull() @IsString() payment_url!: string | null;
}

/** The invoice as it is right after the event. */
export class InvoiceFact {
  @ValidateNested() @Type(() => InvoiceSnapshot) invoice!: InvoiceSnapshot;
}

/** It is to take its number. */
export class InvoiceDraftedFact {
  @IsString() invoice_id!: string;
  @IsIn(MODES) mode!: Mode;
}

/** Each shows the invoice as it is right after the event. */
function invoiceFact<const Type extends string, const Name extends string>(type: Type, name: Name) {
  return fact(type, {
    data: InvoiceFact,
    webhook: {
      name,
      fills: { invoice: [InvoiceSnapshot, ({ invoice }) => invoice] },
      resource: ({ invoice: { invoice_id, merchant_id } }) => ({
        resource_id: invoice_id,
        merchant_id,
        payment_id: null,
        webhook_url: null,
      }),
    },
  });
}

export const invoiceDrafted = fact('billing.invoice-drafted.v1', { data: InvoiceDraftedFact });
export const invoiceCreated = invoiceFact('billing.invoice-created.v1', 'InvoiceCreated');
export const invoiceSent = invoiceFact('billing.invoice-sent.v1', 'InvoiceSent');
export const invoiceOverdue = invoiceFact('billing.invoice-overdue.v1', 'InvoiceOverdue');
export const invoicePaid = invoiceFact('billing.invoice-paid.v1', 'InvoicePaid');
export const invoiceCancelled = invoiceFact('billing.invoice-cancelled.v1', 'InvoiceCancelled');

export const invoicesFacts = [
  ...[invoiceDrafted, invoiceCreated, invoiceSent],
  ...[invoiceOverdue, invoicePaid, invoiceCancelled],
] as const;
