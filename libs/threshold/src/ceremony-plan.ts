import { MODES } from '@tender/kernel';
import { base64, keyBytes } from '@tender/transactions';
import { pointOf } from './group';
import { hasShape, isText, type Check } from './has-shape';
import type { CeremonyParty, CeremonyPlan } from './messages';
import { ROLES } from './parties';

/** An Ed25519 key that one party alone can sign with: for one of low order, signatures can be made without a secret. */
export const isIdentityKey: Check = (value) => {
  const bytes = typeof value === 'string' ? keyBytes(value) : null;
  return bytes !== null && pointOf(base64(bytes)) !== null;
};
export const isMode: Check = (value) => (MODES as readonly unknown[]).includes(value);
export const isAddress: Check = (value) => typeof value === 'string' && keyBytes(value) !== null;
export const isAddressOrNull: Check = (value) => value === null || isAddress(value);

/** A, B and R in this order, each with a key of its own and these fields beside it. */
export const partiesWith =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    Array.isArray(value) &&
    value.length === ROLES.length &&
    ROLES.every((role, place) =>
      hasShape(value[place], {
        ...{ role: (other) => other === role, identity_key: isIdentityKey },
        ...fields,
      }),
    ) &&
    new Set(value.map((party: CeremonyParty) => party.identity_key)).size === value.length;

const PLAN: Readonly<Record<keyof CeremonyPlan, Check>> = {
  merchant_id: isText,
  mode: isMode,
  settlement_wallet: isAddressOrNull,
  parties: partiesWith({}),
};

/** Whether a ceremony can be held by this plan. */
export const isPlan = (value: unknown): value is CeremonyPlan => hasShape(value, PLAN);
