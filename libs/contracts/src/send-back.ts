import { IsIn, IsNumber, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { TOKENS, type Token } from '@tender/kernel';
import { route } from './route';
import { testHelper } from './test-helper';
import { Describe, IsTransactionSignature, OrNull } from './validation';

const EXAMPLE =
  '2Rt6o1Xa6Y5ReMYhAjWkhD2fSFNRQiHMjQTXcVZKN5dQ6oV7mQ8sYkVJUGnJmW1n8dZb1YQbS3X9dA6vCeR1pA2K';

export class SendBackBody {
  @Describe('The transaction that paid the operating wallet.', EXAMPLE)
  @IsTransactionSignature()
  credit!: string;
  /** Whole tokens; all of it by default. */
  @IsOptional() @IsNumber() @Min(0.000000001) @Max(1_000_000_000) amount?: number;
  @Describe('Sent again with the same one, the answer says how far that transfer has come.', 'first')
  @IsOptional()
  @IsString()
  @MaxLength(100)
  key?: string;
}

const TRANSFER_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;

export class SendBackAnswer {
  @IsString() transfer_id!: string;
  @IsString() from!: string;
  @IsString() to!: string;
  @IsIn(TOKENS) token!: Token;
  @Describe('Base units.', '1500000') @IsString() amount!: string;
  @IsIn(TRANSFER_STATUSES) status!: (typeof TRANSFER_STATUSES)[number];
  @OrNull() @IsString() transaction_signature!: string | null;
  @OrNull() @IsString() failure_reason!: string | null;
}

/** What a refund does on the chain, so that the signers can be tried before there is a payment to refund. */
export const sendBack = route({
  ...testHelper,
  id: 'sendBack',
  method: 'POST',
  path: '/api/v1/test_helpers/send-back',
  body: SendBackBody,
  answers: { 200: SendBackAnswer },
  refusals: ['not_found', 'wallet_not_ready', 'forbidden'],
  summary: 'Send money of the operating wallet back to the wallet that paid it',
});
