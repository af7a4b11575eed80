import { bytesOfBase64, hasSigned } from '@tender/transactions';
import { isAddress, isAddressOrNull, isMode, partiesWith } from './ceremony-plan';
import { is32Bytes, publicKeyOf } from './group';
import { hasShape, isText, listOf, type Check } from './has-shape';
import type { CeremonyParty } from './messages';
import { ROLES, THRESHOLD } from './parties';
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
const PARTY: Readonly<Record<Exclude<keyof RosterParty, keyof CeremonyParty>, Check>> = {
  holder: oneOf(...HOLDERS),
  verifying_share: is32Bytes,
};
const ROSTER: Readonly<Record<keyof Roster, Check>> = {
  v: oneOf(1),
  wallet: isAddress,
  merchant_id: isText,
  mode: isMode,
  beneficiary: oneOf(...BENEFICIARIES),
  epoch: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  threshold: oneOf(THRESHOLD),
  commitments: listOf(THRESHOLD, is32Bytes),
  parties: partiesWith(PARTY),
  settlement_wallet: isAddressOrNull,
  recovery: (value) => hasShape(value, { sealed_to: is32Bytes, sealed_share: isBase64 }),
};
const SIGNED: Readonly<Record<keyof SignedRoster, Check>> = {
  roster: (value) => hasShape(value, ROSTER),
  signatures: (value) =>
    hasShape(value, Object.fromEntries(ROLES.map((role) => [role, isBase64]))),
};

/**
 * Why a roster cannot be relied on; null where it can: its address and the point of every share follow from its
 * commitments, and all three parties have signed it. Anyone can verify the same; never throws.
 */
export function rosterFault(signed: SignedRoster): RosterFault | null {
  if (!hasShape(signed, SIGNED)) return 'roster_malformed';
  const { roster, signatures } = signed;
  const key = publicKeyOf(roster.commitments);
  if (key === null) return 'roster_malformed';
  if (key.wallet !== roster.wallet) return 'roster_wallet_mismatch';
  const follows = roster.parties.every(
    ({ role, verifying_share }) => verifying_share === key.verifying_shares[role],
  );
  if (!follows) return 'roster_share_mismatch';
  const bytes = rosterBytes(roster);
  const is_signed = roster.parties.every(({ role, identity_key }) =>
    hasSigned(identity_key, bytes, Buffer.from(signatures[role], 'base64')),
  );
  return is_signed ? null : 'roster_signature_invalid';
}
