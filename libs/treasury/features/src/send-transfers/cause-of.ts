import { invariant } from '@tender/kernel';
import { readTransaction } from '@tender/transactions';
import type { SignedTransfer, TransferFailureReason, TransferTerms } from '@tender/treasury-domain';

/** Of the System and the token program alike: there is less than is to be sent. */
const INSUFFICIENT = 1;

/**
 * What the error of a final transaction says of its transfer; null: nothing, as where the fee wallet was short. The
 * last instruction alone moves the money.
 */
export function causeOf(
  { from, to }: Pick<TransferTerms, 'from' | 'to'>,
  { transaction }: Pick<SignedTransfer, 'transaction'>,
  error: string,
): TransferFailureReason | null {
  const read = readTransaction(Buffer.from(transaction, 'base64'));
  invariant(read !== null, 'the bytes of a transfer were recorded whole');
  const { instructions, accounts } = read.message;
  const { InsufficientFundsForRent, InstructionError } = toldBy(error);
  if (InsufficientFundsForRent) {
    const short = accounts[InsufficientFundsForRent.account_index]?.address;
    if (short === from) return 'insufficient_balance';
    return short === to ? 'destination_invalid' : null;
  }
  const [index, what] = InstructionError ?? [];
  const is_short = typeof what === 'object' && what.Custom === INSUFFICIENT;
  return is_short && index === instructions.length - 1 ? 'insufficient_balance' : null;
}

interface Told {
  readonly InstructionError?: readonly [number, string | { readonly Custom?: number }];
  readonly InsufficientFundsForRent?: { readonly account_index: number };
}

/** The chain’s words are JSON, or one word. */
function toldBy(error: string): Told {
  return error.startsWith('{') ? (JSON.parse(error) as Told) : {};
}
