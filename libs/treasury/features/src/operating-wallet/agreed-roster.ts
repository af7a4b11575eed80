import { base64, bytesOfBase64, hasSigned } from '@tender/transactions';
import {
  rosterBytes,
  rosterFault,
  type CeremonyPlan,
  type Role,
  type Roster,
  type SignedRoster,
} from '@tender/threshold';
import type { AnswerTo } from '../signing/ask-signer';
import { CeremonyFailure } from './ceremony-failure';

export const ROSTER_INVALID = 'roster_invalid';

/**
 * The one roster that all have signed, once treasury has verified it by itself: address and verifying shares follow
 * from the commitments, the signatures are those of the parties, and it says what was planned. Throws
 * `CeremonyFailure`.
 */
export function agreedRoster(
  plan: CeremonyPlan,
  finished: readonly AnswerTo<'ceremony.finish'>[],
): SignedRoster {
  const told = finished.map(({ message: { from, body } }) => ({
    ...{ role: from as Role, roster: body?.roster, signature: body?.roster_signature },
    text: textOf(body?.roster),
  }));
  const [first] = told;
  const other = told.find(({ text }) => told.filter((one) => one.text === text).length === 1);
  if (!first?.roster || other) throw differs(told.map(({ text }) => text), other?.role ?? null);
  const signatures = Object.fromEntries(told.map(({ role, signature }) => [role, signature]));
  const signed: SignedRoster = {
    roster: first.roster,
    signatures: signatures as SignedRoster['signatures'],
  };
  const fault = rosterFault(signed) ?? planFault(plan, signed.roster);
  if (fault !== null) throw new CeremonyFailure(ROSTER_INVALID, unsignedBy(plan, signed), fault);
  return signed;
}

/** Of three the one that stands alone is at fault; where all differ it cannot be told. */
const differs = (texts: readonly (string | null)[], alone: Role | null): CeremonyFailure =>
  new CeremonyFailure(
    ROSTER_INVALID,
    new Set(texts).size === 2 ? alone : null,
    'the parties have ended with different rosters',
  );

/** Null: it is none. */
function textOf(roster: Roster | undefined): string | null {
  try {
    return roster ? base64(rosterBytes(roster)) : null;
  } catch {
    return null;
  }
}

/** The only one whose signature is not good. */
function unsignedBy({ parties }: CeremonyPlan, { roster, signatures }: SignedRoster): Role | null {
  const bytes = rosterBytes(roster);
  const unsigned = parties.filter(({ role, identity_key }) => {
    const signature = bytesOfBase64(String(signatures[role]));
    return signature === null || !hasSigned(identity_key, bytes, signature);
  });
  return unsigned.length === 1 ? (unsigned[0]?.role ?? null) : null;
}

function planFault(plan: CeremonyPlan, roster: Roster): string | null {
  const planned = plan.parties.every(({ role, identity_key }) =>
    roster.parties.some((one) => one.role === role && one.identity_key === identity_key),
  );
  const isSame =
    planned &&
    roster.merchant_id === plan.merchant_id &&
    roster.mode === plan.mode &&
    roster.settlement_wallet === plan.settlement_wallet;
  return isSame ? null : 'the roster is not what was planned';
}
