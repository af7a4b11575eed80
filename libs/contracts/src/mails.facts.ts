import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { fact } from './fact';
import { Describe, OrNull } from './validation';

/** By what a charge can be paid from now on. */
export class OpenedLinkSnapshot {
  @IsString() payment_link_id!: string;
  @Describe('Null of a period of a subscription.') @OrNull() @IsInt() installment_number!: number | null;
}

/** Of whom a mail tells: it has neither words nor an address. */
export class MailDueFact {
  @IsString() merchant_id!: string;
  @IsString() object_id!: string;
  @IsOptional() @ValidateNested() @Type(() => OpenedLinkSnapshot) opened?: OpenedLinkSnapshot;
}

/** Something happened of which a customer is written to, and merchants do not hear. */
export const mailDue = fact('billing.mail-due.v1', { data: MailDueFact });

export const mailFacts = [mailDue] as const;
