import { describeMerchant, type MerchantProfile, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { invariant } from '@tender/kernel';

/** Of a payment or a link: accounts knows its name and wallet. Throws `Unavailable` where it does not answer. */
export async function describedMerchant(
  { calls }: Pick<Runtime, 'calls'>,
  merchant_id: string,
  { mode, correlation_id }: Pick<RequestContext, 'mode' | 'correlation_id'>,
): Promise<MerchantProfile> {
  const merchant = await calls.ask(describeMerchant, { merchant_id }, { mode, correlation_id });
  invariant(merchant, 'a merchant that has payments or links is registered');
  return merchant;
}
