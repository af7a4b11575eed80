import { base64, signatureBytes, transactionBytes, type Transaction } from '@tender/transactions';
import { invariant } from '@tender/kernel';
import type { Offer, SignedTransaction } from '@tender/treasury-domain';

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64');

/** The customer’s signature, base64. */
export function customerSignature({ message, signatures }: Transaction, customer: string): string {
  return base64(signatures[message.signers.indexOf(customer)] ?? new Uint8Array());
}

/** The bytes that are sent, and sent again: always the same ones. */
export function sponsoredBytes(
  { customer_wallet, fee_payer }: Pick<Offer, 'customer_wallet' | 'fee_payer'>,
  { message, customer_signature, transaction_signature }: SignedTransaction,
): Uint8Array {
  const sponsors = signatureBytes(transaction_signature);
  invariant(sponsors !== null, 'the signature of a sponsored transaction was recorded whole');
  return transactionBytes(bytesOf(message), {
    [customer_wallet]: bytesOf(customer_signature),
    [fee_payer]: sponsors,
  });
}
