import { TOKENS, type Token } from '@tender/kernel';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsString, ValidateNested } from 'class-validator';
import { fact } from './fact';
import type { OutgoingTransferType, TransferFailure } from './treasury-calls';
import { Describe, IsBase58Address, IsTime, OrNull } from './validation';

/** The signers that run; what leaves an operating wallet needs both. */
export const RUNNING_SIGNERS = ['A', 'B'] as const;
export type RunningSigner = (typeof RUNNING_SIGNERS)[number];

export const FROZEN_BY = ['merchant', 'alarms'] as const;
export type FrozenBy = (typeof FROZEN_BY)[number];

export class OperatingWalletOpenedFact {
  @IsString() merchant_id!: string;
  @IsBase58Address() operating_wallet_address!: string;
  @IsTime() opened_at!: string;
}

/** A merchant’s operating wallet is there, for good: money may come to it. */
export const operatingWalletOpened = fact('treasury.operating-wallet-opened.v1', {
  data: OperatingWalletOpenedFact,
});

export class OperatingWalletFrozenFact {
  @IsString() merchant_id!: string;
  @IsBase58Address() operating_wallet_address!: string;
  @Describe('`alarms`: the signers refused too often what treasury never asks.')
  @IsIn(FROZEN_BY)
  frozen_by!: FrozenBy;
  @OrNull() @IsString() reason!: string | null;
  @Describe('Those that have confirmed it; one stops the wallet.')
  @IsArray()
  @IsIn(RUNNING_SIGNERS, { each: true })
  signers!: RunningSigner[];
  @IsTime() frozen_at!: string;
}

/** Nothing leaves a merchant’s operating wallet any more; told again when the other signer has confirmed it, too. */
export const operatingWalletFrozen = fact('treasury.operating-wallet-frozen.v1', {
  data: OperatingWalletFrozenFact,
});

export class OperatingWalletUnfrozenFact {
  @IsString() merchant_id!: string;
  @IsBase58Address() operating_wallet_address!: string;
  @IsTime() unfrozen_at!: string;
}

/** A passkey of the merchant has let its operating wallet go on. */
export const operatingWalletUnfrozen = fact('treasury.operating-wallet-unfrozen.v1', {
  data: OperatingWalletUnfrozenFact,
});

const TRANSFER_TYPES: readonly OutgoingTransferType[] = ['refund', 'settlement'];
export const TRANSFER_FAILURES: readonly TransferFailure[] = [
  'insufficient_balance',
  'destination_invalid',
  'signing_declined',
  'sanctions_hit',
];

/**
 * A transfer out of an operating wallet, as other contexts hear of it. Topics hold records of every release: a field
 * that is added here is optional.
 */
export class OutgoingTransferSnapshot {
  /** Of what it is for: a refund’s, a settlement’s. */
  @IsString() transfer_id!: string;
  @IsIn(TRANSFER_TYPES) type!: OutgoingTransferType;
  @IsString() merchant_id!: string;
  @IsString() from!: string;
  @IsString() to!: string;
  @IsIn(TOKENS) asset!: Token;
  /** Base units. */
  @IsString() amount!: string;
}

/** A transaction of it was signed: it may land from now on. Another one may follow where it never does. */
export class TransferSignedFact {
  @ValidateNested() @Type(() => OutgoingTransferSnapshot) transfer!: OutgoingTransferSnapshot;
  @IsString() transaction_signature!: string;
}

/** The money is there, at finalized. */
export class TransferCompletedFact {
  @ValidateNested() @Type(() => OutgoingTransferSnapshot) transfer!: OutgoingTransferSnapshot;
  @IsString() transaction_signature!: string;
}

/** Nothing has left, and nothing will. */
export class TransferFailedFact {
  @ValidateNested() @Type(() => OutgoingTransferSnapshot) transfer!: OutgoingTransferSnapshot;
  @IsIn(TRANSFER_FAILURES) failure_reason!: TransferFailure;
  /** The transaction that failed on chain; null where none did. */
  @OrNull() @IsString() transaction_signature!: string | null;
}

export const transferSigned = fact('treasury.transfer-signed.v1', { data: TransferSignedFact });
export const transferCompleted = fact('treasury.transfer-completed.v1', {
  data: TransferCompletedFact,
});
export const transferFailed = fact('treasury.transfer-failed.v1', { data: TransferFailedFact });

export const treasuryFacts = [
  operatingWalletOpened,
  operatingWalletFrozen,
  operatingWalletUnfrozen,
  transferSigned,
  transferCompleted,
  transferFailed,
] as const;
