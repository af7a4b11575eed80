import { call, commandCall, type Mode, type Token } from '@tender/kernel';
import type { CustodyModel } from './merchants';

/** treasury: a merchant’s operating wallet in a mode, as `GET /merchants/me/wallet` shows it (specification §2.9). */
export interface OperatingWallet {
  readonly address: string;
  /** The merchant’s own wallet, as the roster names it: settlements go there, and nowhere else. Null: it names none. */
  readonly settlement_wallet: string | null;
  readonly custody_model: CustodyModel;
  /** Signed by the holders of its shares; JSON as they have signed it. */
  readonly roster: unknown;
  readonly frozen: boolean;
  /** What may leave it in 24 hours, as a passkey has set it; null: as its signers are set. */
  readonly per_day_usd: number | null;
}

/**
 * Opens the wallet where it is missing, which takes the signers a moment. Null: it is not there yet, because they do
 * not answer; asked again it may be.
 */
export const operatingWallet = commandCall<
  { merchant_id: string },
  OperatingWallet | null,
  'merchant_not_found'
>('treasury.operating-wallet', { deadline_ms: 8_000 });

/** treasury: the identity key of signer A, base58, which is pinned; null where no signers are set up. */
export const signerAIdentity = call<object, { identity_key: string } | null>(
  'treasury.signer-a-identity',
);

/** What the merchant’s browser asks signer A in the ceremony of a passkey wallet. */
export type PasskeyCeremonyStep = 'begin' | 'round-2' | 'round-3' | 'finish';

export interface RelayedStep {
  readonly session: string;
  readonly step: PasskeyCeremonyStep;
  /** As the parties of a ceremony say it (docs/custody.md). */
  readonly body: unknown;
}
export type RelayRefusal = 'ceremony_failed' | 'ceremony_unknown';

/** Sessions of these ceremonies alone: those of operating wallets are named otherwise, and are not reached here. */
export const PASSKEY_CEREMONY = /^passkey-[0-9a-f]{32}$/;

/**
 * treasury: carries a message to signer A and back, and adds nothing. The answer is what A has signed for that very
 * session. `ceremony_failed`: A refuses, `details.code` says why. Unavailable: A is silent.
 */
export const relayCeremony = commandCall<RelayedStep, { readonly answer: unknown }, RelayRefusal>('treasury.relay-ceremony', { deadline_ms: 8_000, answered_by: 'any' });

/** What money leaves an operating wallet for. */
export type OutgoingTransferType = 'refund' | 'settlement';

export interface RequestedTransfer {
  /** Of what it is for: a refund’s, a settlement’s. One transfer leaves for it, however often it is requested. */
  readonly transfer_id: string;
  readonly type: OutgoingTransferType;
  readonly merchant_id: string;
  readonly asset: Token;
  /** Base units. */
  readonly amount: string;
  /** Of a refund: the transaction that brought the money. */
  readonly credit: string | null;
  /** Of a refund: who paid. Null for a settlement, which goes to the wallet of the roster. */
  readonly to: string | null;
}

/** Why no transfer is made at all; nothing was recorded. */
export type TransferRefusal = 'wallet_not_ready' | 'transfer_differs';

/** Records the transfer; the answer does not wait for the chain. */
export const requestTransfer = commandCall<
  RequestedTransfer,
  { readonly transfer_id: string },
  TransferRefusal
>('treasury.request-transfer', { deadline_ms: 8_000 });

/** Why money did not leave and never will (specification §2.9). */
export type TransferFailure =
  | 'insufficient_balance'
  | 'destination_invalid'
  | 'signing_declined'
  | 'sanctions_hit';

export interface TransferSummary {
  readonly transfer_id: string;
  readonly mode: Mode;
  readonly type: OutgoingTransferType;
  readonly merchant_id: string;
  readonly from: string;
  readonly to: string;
  readonly asset: Token;
  readonly amount: string;
  /** `processing` from the first signed transaction on, whatever is unknown of it. */
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  readonly transaction_signature: string | null;
  readonly failure_reason: TransferFailure | null;
}

/** Null: none was requested under that id. */
export const describeTransfer = call<{ transfer_id: string }, TransferSummary | null>(
  'treasury.describe-transfer',
);
