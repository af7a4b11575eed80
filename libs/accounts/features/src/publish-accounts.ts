import type { MerchantEvent } from '@tender/accounts-domain';
import type { MerchantFact } from '@tender/contracts';
import type { Publication, StoredEvent } from '@tender/eventing';

/** Keys are nobody else’s business; that a merchant exists, and where it is paid, is. */
export function publishAccounts(stored: StoredEvent): Publication | null {
  const event = stored as unknown as MerchantEvent;
  if (event.type !== 'MerchantRegistered') return null;
  const { merchant_id, wallet_address, webhook_url, created_at } = event.data;
  const data: MerchantFact = { merchant_id, wallet_address, webhook_url, created_at };
  return { type: 'accounts.merchant-registered.v1', data, merchant_id };
}
