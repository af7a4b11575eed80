import { canonicalBytes } from './canonical-bytes';
import type { CeremonyPlan, Round3 } from './messages';
import { FIRST_EPOCH, THRESHOLD, type Role } from './parties';
import type { Holder, Roster } from './roster';

/** R's holder is told by whether there is an offline key. */
const HOLDER_OF: Readonly<Record<Exclude<Role, 'R'>, Holder>> = {
  ...{ A: 'tender', B: 'tender', C: 'merchant' },
};

/** The roster of a wallet whose ceremony came to this key. */
export function rosterOf(
  { merchant_id, mode, settlement_wallet, parties }: CeremonyPlan,
  { group_key, commitments, verifying_shares }: Round3,
  recovery: Roster['recovery'],
): Roster {
  return {
    v: 1,
    wallet: group_key,
    merchant_id,
    mode,
    beneficiary: 'merchant',
    epoch: FIRST_EPOCH,
    threshold: THRESHOLD,
    commitments: [...commitments],
    parties: parties.map(({ role, identity_key }) => ({
      role,
      holder: role === 'R' ? (recovery ? 'offline' : 'merchant') : HOLDER_OF[role],
      identity_key,
      verifying_share: verifying_shares[role] as string,
    })),
    settlement_wallet,
    recovery,
  };
}

/** The bytes that each party signs of a roster. */
export const rosterBytes = (roster: Roster): Uint8Array =>
  canonicalBytes('tender.roster.v1', roster);
