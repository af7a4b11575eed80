import type { WalletCeremony } from '@tender/accounts-domain';
import {
  rosterBytes,
  rosterFault,
  type CeremonyPlan,
  type Roster,
  type SignedRoster,
} from '@tender/threshold';
import { ceremonyFailed } from './signer-a';

/** What the merchant says that all have agreed on, with what its two parties have signed. */
interface Said {
  readonly roster: object;
  readonly signatures: Readonly<Record<'C' | 'R', string>>;
}

/**
 * The roster of a new wallet with the signatures of all three, verified: it is the one that signer A has kept its share
 * of in this ceremony, of the parties that were planned. Throws 409 `ceremony_failed`.
 */
export function signedWallet(
  plan: WalletCeremony['plan'],
  agreed: NonNullable<WalletCeremony['agreed']>,
  { roster, signatures }: Said,
): SignedRoster {
  if (!isSame(roster, agreed.roster)) throw ceremonyFailed('roster_mismatch');
  const { C, R } = signatures;
  const signed = { roster: agreed.roster as Roster, signatures: { A: agreed.signature, C, R } };
  const fault = rosterFault(signed);
  if (fault !== null) throw ceremonyFailed(fault);
  if (!isPlanned(plan as CeremonyPlan, signed.roster)) throw ceremonyFailed('roster_mismatch');
  return signed;
}

function isPlanned(plan: CeremonyPlan, { merchant_id, mode, parties }: Roster): boolean {
  const planned = plan.parties.every(({ role, identity_key }) =>
    parties.some((party) => party.role === role && party.identity_key === identity_key),
  );
  return planned && merchant_id === plan.merchant_id && mode === plan.mode;
}

const isSame = (one: object, other: object): boolean =>
  Buffer.from(rosterBytes(one as Roster)).equals(rosterBytes(other as Roster));
