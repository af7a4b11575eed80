import { IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { Describe, IsCountry, IsEmailAddress, IsName, OrNull } from './validation';

const LINE_MAX = 200;

/** Who pays, as far as the shop asks. */
export class Customer {
  @Describe('Compared in lower case.', 'ada@example.com') @IsEmailAddress() email!: string;
  @IsOptional() @IsName(LINE_MAX) name?: string;
  @IsOptional() @IsString() @MinLength(1) @MaxLength(50) phone?: string;
  @IsOptional() @IsName(LINE_MAX) company?: string;
  @IsOptional() @IsString() @MinLength(1) @MaxLength(LINE_MAX) billing_address_line1?: string;
  @IsOptional() @IsString() @MinLength(1) @MaxLength(LINE_MAX) billing_address_line2?: string;
  @IsOptional() @IsString() @MinLength(1) @MaxLength(LINE_MAX) billing_city?: string;
  @IsOptional() @IsString() @MinLength(1) @MaxLength(LINE_MAX) billing_state?: string;
  @IsOptional() @IsString() @MinLength(1) @MaxLength(20) billing_postal_code?: string;
  @Describe('ISO 3166-1 alpha-2.', 'GB') @IsOptional() @IsCountry() billing_country?: string;
}

/** The same in answers: all fields, null where there is nothing. Answers without a credential mask them. */
export class CustomerAnswer {
  @IsString() email!: string;
  @OrNull() @IsString() name!: string | null;
  @OrNull() @IsString() phone!: string | null;
  @OrNull() @IsString() company!: string | null;
  @OrNull() @IsString() billing_address_line1!: string | null;
  @OrNull() @IsString() billing_address_line2!: string | null;
  @OrNull() @IsString() billing_city!: string | null;
  @OrNull() @IsString() billing_state!: string | null;
  @OrNull() @IsString() billing_postal_code!: string | null;
  @OrNull() @IsString() billing_country!: string | null;
}
