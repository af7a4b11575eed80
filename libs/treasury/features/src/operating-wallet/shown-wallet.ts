import type { OperatingWallet } from '@tender/contracts';
import { custodyModelOf, type SignedRoster } from '@tender/threshold';
import type { OpenWallet } from '@tender/treasury-domain';

/** What others see of a wallet: who can move its money is computed from the roster, and claimed nowhere. */
export const shownWallet = ({
  address,
  roster,
  frozen,
  day_limit_cents,
}: OpenWallet): OperatingWallet => ({
  address,
  settlement_wallet: (roster as SignedRoster).roster.settlement_wallet,
  custody_model: custodyModelOf((roster as SignedRoster).roster),
  roster,
  frozen: frozen !== null,
  per_day_usd: day_limit_cents === undefined ? null : day_limit_cents / 100,
});
