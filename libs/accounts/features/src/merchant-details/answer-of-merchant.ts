import type { RegisteredMerchant } from '@tender/accounts-domain';
import type { MerchantAnswer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { openMerchant } from './open-merchant';

/** A merchant as it sees itself. */
export async function answerOfMerchant(
  runtime: Pick<Runtime, 'keyRing'>,
  merchant: RegisteredMerchant,
): Promise<MerchantAnswer> {
  const { merchant_id, wallet_address, created_at } = merchant;
  const { name, email, business_address, support_email } = await openMerchant(runtime, merchant);
  return {
    ...{ id: merchant_id, name, email, business_address, support_email },
    ...{ wallet_address, created_at },
  };
}
