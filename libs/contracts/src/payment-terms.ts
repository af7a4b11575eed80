import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { CURRENCIES, TOKENS } from '@tender/kernel';
import { all, Describe, IsMetadata, IsUsdAmount } from './validation';

// What a merchant says of the money it asks for is the same wherever it is asked for: one payment, a link, a plan, an
// invoice. They are fields, not a class that those extend, because each body has an order of its own in the documents.

const SHOWN_CHARACTERS_MAX = 500;

/** How much, in the field `currency`. */
export const IsAmountInCurrency = (): PropertyDecorator =>
  all(Describe('In `currency`: above 0, with at most 2 decimals.', 10.5), IsUsdAmount());

/** `converted`: when, where it is not USD. */
export const IsCurrencyChoice = (converted: string): PropertyDecorator =>
  all(
    Describe(`USD unless told; EUR and GBP are converted ${converted}.`),
    IsOptional(),
    IsIn(CURRENCIES),
  );

export const IsTokenChoice = (): PropertyDecorator =>
  all(Describe('USDC unless told.'), IsOptional(), IsIn(TOKENS));

/** What the customer reads of it. */
export const IsShownText = (example: string): PropertyDecorator =>
  all(
    Describe('Shown on checkout.', example),
    MaxLength(SHOWN_CHARACTERS_MAX),
    IsString(),
    IsOptional(),
  );

/** Kept for the merchant and given back as it came; `whose` names what else has it. */
export const IsOwnData = (whose?: string): PropertyDecorator =>
  all(
    Describe(`The merchant’s own data${whose ? `, ${whose}` : ''}: at most 50 keys.`),
    IsOptional(),
    IsMetadata(),
  );
