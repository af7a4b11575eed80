import { randomBytes, randomUUID } from 'node:crypto';
import { identityOf, HOSTED_ROLES, type CeremonyPlan, type HostedRole } from '@tender/threshold';

/** A plan for a new merchant that A and B take part in, with an R that is nowhere unless its identity is said. */
export function planOf(
  identity_keys: Readonly<Record<HostedRole, string>>,
  changes: Partial<CeremonyPlan> = {},
  R = identityOf(randomBytes(32)).public_key,
): CeremonyPlan {
  const keys = { ...identity_keys, R };
  const parties = HOSTED_ROLES.map((role) => ({ role, identity_key: keys[role] }));
  const merchant_id = randomUUID();
  return { merchant_id, mode: 'test', settlement_wallet: null, parties, ...changes };
}
