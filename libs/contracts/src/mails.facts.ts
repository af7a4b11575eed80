import { IsString } from 'class-validator';
import { fact } from './fact';

/** Of whom a mail tells: it has neither words nor an address. */
export class MailDueFact {
  @IsString() merchant_id!: string;
  @IsString() object_id!: string;
}

/** Something happened of which a customer is written to, and merchants do not hear. */
export const mailDue = fact('billing.mail-due.v1', { data: MailDueFact });

export const mailFacts = [mailDue] as const;
