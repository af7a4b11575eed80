import { formatUnits, TOKEN_DECIMALS } from '@tender/kernel';
import type { BuiltTransaction, PaymentTerms } from '@tender/payments-domain';
import { base64, transactionBytes } from '@tender/transactions';

/** A built message as wallets take it: a transaction that no one has signed, base64. */
export const unsigned = ({ message }: Pick<BuiltTransaction, 'message'>): string =>
  base64(transactionBytes(Buffer.from(message, 'base64')));

/** What a wallet shows beside the transaction. */
export function signingText(terms: PaymentTerms): string {
  const { token, token_amount, description, payment_id } = terms;
  const amount = formatUnits(BigInt(token_amount), TOKEN_DECIMALS[token]);
  return `${amount} ${token} for ${description || payment_id}`;
}
