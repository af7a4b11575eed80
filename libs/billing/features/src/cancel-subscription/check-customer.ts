import type { SubscriptionTerms } from '@tender/billing-domain';
import type { CancelSubscriptionBody } from '@tender/contracts';
import { ApiError, invalidParameter } from '@tender/http';
import { hasSigned, signatureBytes } from '@tender/transactions';

/**
 * Without a key the customer alone may cancel: names the wallet, and in live proves to hold it. Throws 400 where
 * something is missing or malformed, and 403.
 */
export function checkCustomer(
  { subscription_id, mode, customer_wallet }: SubscriptionTerms,
  { customer_wallet: named, wallet_signature }: CancelSubscriptionBody,
): void {
  if (named === undefined) throw missing('customer_wallet');
  if (named !== customer_wallet) throw forbidden('customer_wallet is not that of the subscription.');
  if (mode !== 'live') return;
  const text = `cancel:${subscription_id}`;
  if (wallet_signature === undefined) throw missing('wallet_signature');
  const signature = signatureBytes(wallet_signature);
  if (signature === null) {
    throw invalidParameter({ field: 'wallet_signature', message: 'must be 64 bytes in base58' });
  }
  if (hasSigned(customer_wallet, Buffer.from(text), signature)) return;
  throw forbidden(`wallet_signature must be that of customer_wallet over the text ${text}.`);
}

const missing = (field: string): ApiError =>
  new ApiError(400, 'missing_required_field', `Without a key, ${field} is required.`, {
    fields: [{ field, message: 'is required without a key' }],
  });

const forbidden = (sentence: string): ApiError => new ApiError(403, 'forbidden', sentence);
