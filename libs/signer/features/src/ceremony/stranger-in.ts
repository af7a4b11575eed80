import { isSelfPlan, ROLES, type CeremonyPlan, type Role } from '@tender/threshold';

/**
 * Whose identity in a plan is not the one that this party has pinned; null where all are. The others of a merchant's
 * own wallet are keys that its browser has just made: there is none that could be pinned.
 */
export function strangerIn(
  plan: CeremonyPlan,
  pinned: Readonly<Partial<Record<Role, string>>>,
): Role | null {
  if (isSelfPlan(plan)) return null;
  const parties: unknown = plan?.parties;
  const keyOf = (role: Role): unknown =>
    Array.isArray(parties) ? parties.find((party) => party?.role === role)?.identity_key : null;
  return ROLES.find((role) => pinned[role] !== undefined && keyOf(role) !== pinned[role]) ?? null;
}
