import { ROLES, type CeremonyPlan, type Role } from '@tender/threshold';

/** Whose identity in a plan is not the one that this party has pinned; null where all are. */
export function strangerIn(
  plan: CeremonyPlan,
  pinned: Readonly<Partial<Record<Role, string>>>,
): Role | null {
  const parties: unknown = plan?.parties;
  const keyOf = (role: Role): unknown =>
    Array.isArray(parties) ? parties.find((party) => party?.role === role)?.identity_key : null;
  return ROLES.find((role) => pinned[role] !== undefined && keyOf(role) !== pinned[role]) ?? null;
}
