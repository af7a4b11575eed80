import { bytesOfBase64, hasSigned } from '@tender/transactions';
import { hostedWith, isAddress, selfWith } from './ceremony-plan';
import { bytesOf, is32Bytes, publicKeyOf } from './group';
import { hasShape, listOf, type Check } from './has-shape';
import type { CeremonyParty } from './messages';
import { HOSTED_ROLES, SELF_ROLES, THRESHOLD, type Role } from './parties';
import type { Beneficiary, Holder, Roster, RosterParty, SignedRoster } from './roster';
import { rosterBytes } from './roster-of';

export type RosterFault =
  | 'roster_malformed'
  /** The address is not the first commitment. */
  | 'roster_wallet_mismatch'
  /** A share's point does not follow from the commitments. */
  | 'roster_share_mismatch'
  | 'roster_signature_invalid';

const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const isBase64: Check = (value) => typeof value === 'string' && bytesOfBase64(value) !== null;

const HOLDERS: readonly Holder[] = ['tender', 'merchant', 'offline'];
const BENEFICIARIES: readonly Beneficiary[] = ['merchant', 'customer'];
type PartyChecks = Readonly<Record<Exclude<keyof RosterParty, keyof CeremonyParty>, Check>>;
const heldBy = (...holders: readonly Holder[]): PartyChecks => ({
  holder: oneOf(...holders),
  verifying_share: is32Bytes,
});

type RosterChecks = Readonly<Record<keyof Roster, Check>>;
const ANY_ROSTER = {
  v: oneOf(1),
  wallet: isAddress,
  epoch: (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0,
  threshold: oneOf(THRESHOLD),
  commitments: listOf(THRESHOLD, is32Bytes),
};
const HOSTED: RosterChecks = {
  ...{ ...ANY_ROSTER, ...hostedWith(() => heldBy(...HOLDERS)) },
  beneficiary: oneOf(...BENEFICIARIES),
  recovery: (value) => hasShape(value, { sealed_to: is32Bytes, sealed_share: isBase64 }),
};
/** With other holders it would be no wallet of the merchant's own, whatever its roles are called. */
const SELF: RosterChecks = {
  ...{ ...ANY_ROSTER, ...selfWith((role) => heldBy(role === 'A' ? 'tender' : 'merchant')) },
  beneficiary: oneOf('merchant'),
  recovery: oneOf(null),
};

const signedBy = (
  roles: readonly Role[],
  roster: RosterChecks,
): Readonly<Record<keyof SignedRoster, Check>> => {
  const signatures = Object.fromEntries(roles.map((role) => [role, isBase64]));
  return {
    roster: (value) => hasShape(value, roster),
    signatures: (value) => hasShape(value, signatures),
  };
};
const FORMS = [
  { roles: HOSTED_ROLES, shape: signedBy(HOSTED_ROLES, HOSTED) },
  { roles: SELF_ROLES, shape: signedBy(SELF_ROLES, SELF) },
];

/**
 * Why a roster cannot be relied on; null where it can: its address and the point of every share follow from its
 * commitments, and all three parties have signed it. Anyone can verify the same; never throws.
 */
export function rosterFault(signed: SignedRoster): RosterFault | null {
  const form = FORMS.find(({ shape }) => hasShape(signed, shape));
  if (!form) return 'roster_malformed';
  const { roster, signatures } = signed;
  const key = publicKeyOf<Role>(roster.commitments, form.roles);
  if (key === null) return 'roster_malformed';
  if (key.wallet !== roster.wallet) return 'roster_wallet_mismatch';
  const follows = roster.parties.every(
    ({ role, verifying_share }) => verifying_share === key.verifying_shares[role],
  );
  if (!follows) return 'roster_share_mismatch';
  const bytes = rosterBytes(roster);
  const is_signed = roster.parties.every(({ role, identity_key }) =>
    hasSigned(identity_key, bytes, bytesOf(signatures[role] as string)),
  );
  return is_signed ? null : 'roster_signature_invalid';
}
