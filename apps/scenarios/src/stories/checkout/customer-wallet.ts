import { signedBy, type freshTestWallet } from '@tender/transactions/testing';

export type CustomerWallet = ReturnType<typeof freshTestWallet>;

/**
 * What a wallet hands back, of what it was given or of what it makes of that. A transaction is its signatures, one byte
 * that counts them, then the message.
 */
export function signedTransaction(
  { transaction }: { readonly transaction: string },
  payer: CustomerWallet,
  change: (message: Uint8Array) => Uint8Array = (message) => message,
): string {
  const bytes = Buffer.from(transaction, 'base64');
  const message = bytes.subarray(1 + 64 * (bytes[0] as number));
  return Buffer.from(signedBy(change(message), payer)).toString('base64');
}
