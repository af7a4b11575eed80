import { compileMessage } from './compile-message';
import { readMessage } from './message';
import {
  computeBudget,
  createTokenAccount,
  transferSol,
  transferToken,
  withReference,
  type ComputeBudget,
} from './programs';

/** The accounts of a payment in tokens. */
export interface PaidToken {
  readonly mint: string;
  readonly decimals: number;
  /** The customer's account. */
  readonly source: string;
  /** The merchant's account. */
  readonly destination: string;
  /** It is missing: the transaction makes it, at the cost of the fee payer. */
  readonly create_destination: boolean;
}

/** One payment, from a customer's wallet to a merchant's. */
export interface PaymentTransfer {
  readonly customer: string;
  /** The customer, or who sponsors the fee. */
  readonly fee_payer: string;
  /** The merchant's wallet. */
  readonly recipient: string;
  /** Null: SOL. */
  readonly token: PaidToken | null;
  /** Base units. */
  readonly amount: bigint;
  readonly reference: string;
  readonly recent_blockhash: string;
  readonly compute: ComputeBudget;
}

/** A transfer takes 1,000 units; the rest is for asserts, which wallets add without raising the limit. */
const TRANSFER_UNITS = 60_000;
/** Finding the address of a token account takes the more units the later it is found. */
const CREATION_UNITS = 60_000;

/** How much a payment's transaction may compute. */
export const paymentUnitLimit = (token: Pick<PaidToken, 'create_destination'> | null): number =>
  TRANSFER_UNITS + (token?.create_destination ? CREATION_UNITS : 0);

/**
 * The message of a payment. The transfer comes last and names the reference, as Solana Pay has it. Throws
 * `Malformed` where the chain would not read it (a program pays no fee): such a message is kept nowhere.
 */
export function paymentMessage(payment: PaymentTransfer): Uint8Array {
  const { fee_payer, recent_blockhash, compute } = payment;
  const transfer = withReference(transferOf(payment), payment.reference);
  const instructions = [...computeBudget(compute), ...creationOf(payment), transfer];
  const message = compileMessage({ fee_payer, recent_blockhash, instructions });
  readMessage(message);
  return message;
}

function transferOf({ token, customer, recipient, amount }: PaymentTransfer) {
  if (token === null) return transferSol(customer, recipient, amount);
  const { source, destination, mint, decimals } = token;
  return transferToken({ source, destination, owner: customer, mint, decimals, amount });
}

function creationOf({ token, fee_payer, recipient }: PaymentTransfer) {
  if (!token?.create_destination) return [];
  const { destination: account, mint } = token;
  return [createTokenAccount({ payer: fee_payer, account, owner: recipient, mint })];
}
