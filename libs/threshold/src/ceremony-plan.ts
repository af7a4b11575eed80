import { MODES } from '@tender/kernel';
import { base64, keyBytes } from '@tender/transactions';
import { pointOf } from './group';
import { hasShape, isText, type Check } from './has-shape';
import type { CeremonyParty, CeremonyPlan } from './messages';
import { HOSTED_ROLES, SELF_ROLES, type Role } from './parties';

/** An Ed25519 key that one party alone can sign with: for one of low order, signatures can be made without a secret. */
export const isIdentityKey: Check = (value) => {
  const bytes = typeof value === 'string' ? keyBytes(value) : null;
  return bytes !== null && pointOf(base64(bytes)) !== null;
};
export const isAddress: Check = (value) => typeof value === 'string' && keyBytes(value) !== null;

/** What stands beside role and key. */
type FieldsOf = (role: Role) => Readonly<Record<string, Check>>;

/** These in this order, each with a key of its own and these fields beside it. */
const partiesWith =
  (roles: readonly Role[], fieldsOf: FieldsOf): Check =>
  (value) =>
    Array.isArray(value) &&
    value.length === roles.length &&
    roles.every((role, place) =>
      hasShape(value[place], {
        ...{ role: (other) => other === role, identity_key: isIdentityKey },
        ...fieldsOf(role),
      }),
    ) &&
    new Set(value.map((party: CeremonyParty) => party.identity_key)).size === value.length;

/** What plans and rosters say in the same words. */
type Common = 'merchant_id' | 'mode' | 'settlement_wallet' | 'parties';

export const hostedWith = (fieldsOf: FieldsOf): Readonly<Record<Common, Check>> => ({
  merchant_id: isText,
  mode: (value) => (MODES as readonly unknown[]).includes(value),
  settlement_wallet: (value) => value === null || isAddress(value),
  parties: partiesWith(HOSTED_ROLES, fieldsOf),
});
/** A merchant's own wallet serves both modes, and settles nowhere. */
export const selfWith = (fieldsOf: FieldsOf): Readonly<Record<Common, Check>> => ({
  merchant_id: isText,
  mode: (value) => value === 'all',
  settlement_wallet: (value) => value === null,
  parties: partiesWith(SELF_ROLES, fieldsOf),
});

const HOSTED_PLAN: Readonly<Record<keyof CeremonyPlan, Check>> = hostedWith(() => ({}));
const SELF_PLAN: Readonly<Record<keyof CeremonyPlan, Check>> = selfWith(() => ({}));

/** Whether a ceremony can be held by this plan. */
export const isPlan = (value: unknown): value is CeremonyPlan =>
  hasShape(value, HOSTED_PLAN) || isSelfPlan(value);

/** Whether it is one for a wallet of which the merchant holds two shares. */
export const isSelfPlan = (value: unknown): boolean => hasShape(value, SELF_PLAN);
