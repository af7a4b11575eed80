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

/** Of an amount that its field allows. */
function centsOf(usd: number): number {
  const decimal = parseDecimal(String(usd));
  const cents = decimal && toUnits(decimal, 2);
  invariant(cents !== null, 'USD of a request have at most two decimals');
  return Number(cents);
}
