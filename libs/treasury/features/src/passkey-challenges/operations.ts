import { signingPasskey, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError } from '@tender/http';
import { invariant, parseDecimal, toUnits } from '@tender/kernel';
import type { ProvenOperation, SignedRoster } from '@tender/threshold';
import type { OpenWallet } from '@tender/treasury-domain';

type Of<Type extends ProvenOperation['type']> = Extract<ProvenOperation, { readonly type: Type }>;

const walletOf = ({ roster }: Pick<OpenWallet, 'roster'>) => {
  const { merchant_id, mode, wallet } = (roster as SignedRoster).roster;
  return { merchant_id, mode, wallet };
};

/** As the signers know it: by the roster. */
export const unfreezing = (wallet: OpenWallet): Of<'unfreeze_operating_wallet'> => ({
  type: 'unfreeze_operating_wallet',
  ...walletOf(wallet),
});

export const limitOf = (wallet: OpenWallet, per_day_usd: number): Of<'set_operating_wallet_limits'> => ({
  type: 'set_operating_wallet_limits',
  ...walletOf(wallet),
  per_day_cents: centsOf(per_day_usd),
});

/** One more passkey of the merchant, with the key that it was registered by. Throws 404 where there is no such one. */
export async function pinningOf(
  { calls }: Pick<Runtime, 'calls'>,
  { merchant_id, mode, correlation_id }: Pick<RequestContext, 'merchant_id' | 'mode' | 'correlation_id'>,
  credential_id: string,
): Promise<Of<'pin_passkey'>> {
  const asked = { merchant_id, passkey_id: credential_id };
  const known = await calls.ask(signingPasskey, asked, { mode, correlation_id });
  if (known === null) throw new ApiError(404, 'not_found', 'There is no such signing passkey.');
  return { type: 'pin_passkey', merchant_id, credential_id, public_key: known.public_key };
}

/** Whether or not the merchant has removed it: signers know it until it is unpinned. */
export const unpinningOf = (
  { merchant_id }: Pick<RequestContext, 'merchant_id'>,
  credential_id: string,
): Of<'unpin_passkey'> => ({ type: 'unpin_passkey', merchant_id, credential_id });

/** Of an amount that its field allows. */
function centsOf(usd: number): number {
  const decimal = parseDecimal(String(usd));
  const cents = decimal && toUnits(decimal, 2);
  invariant(cents !== null, 'USD of a request have at most two decimals');
  return Number(cents);
}
