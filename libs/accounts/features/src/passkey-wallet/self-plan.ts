import type { CeremonyPlan } from '@tender/threshold';

/** What the ceremony of a merchant’s own wallet is for; the same for all, and part of what they sign. */
export const selfPlan = (
  merchant_id: string,
  keys: Readonly<Record<'A' | 'C' | 'R', string>>,
): CeremonyPlan => ({
  ...{ merchant_id, mode: 'all', settlement_wallet: null },
  parties: (['A', 'C', 'R'] as const).map((role) => ({ role, identity_key: keys[role] })),
});
