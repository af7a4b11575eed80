import { CeremonyParticipant, type CeremonyResult } from '../ceremony';
import { identityOf, type Identity } from '../identity';
import { randomBytes } from 'node:crypto';
import { MerchantParties, type MerchantResult } from '../merchant/merchant-parties';
import type { CeremonyPlan, Signed } from '../messages';
import type { SignedRoster } from '../roster';

/** A merchant's own wallet as a ceremony makes it: A here, C and R as in a browser. */
export interface OwnWallet {
  readonly plan: CeremonyPlan;
  readonly of_a: CeremonyResult;
  readonly of_merchant: MerchantResult;
  readonly signed: SignedRoster;
}

/** What becomes of a message on its way between A and the browser. */
export type Way = (said: readonly Signed[], round: 1 | 2 | 3) => readonly Signed[];

export const planOfOwn = (
  merchant: MerchantParties,
  identity: Identity,
  merchant_id = 'merchant-1',
): CeremonyPlan => {
  const keys = { A: identity.public_key, ...merchant.identityKeys() };
  const parties = (['A', 'C', 'R'] as const).map((role) => ({ role, identity_key: keys[role] }));
  return { merchant_id, mode: 'all', settlement_wallet: null, parties };
};

/** Holds the ceremony of a browser to its end. */
export function ownWallet(
  identity = identityOf(randomBytes(32)),
  merchant = new MerchantParties(),
  way: Way = (said) => said,
): OwnWallet {
  const session = randomBytes(16).toString('hex');
  const plan = planOfOwn(merchant, identity);
  const A = new CeremonyParticipant({
    ...{ role: 'A', identity, session, plan, recovery_key: null },
  });
  const first = A.round1();
  const round1 = merchant.round1(session, plan, plan.merchant_id);
  const dealt_by_a = A.round2([first, ...round1]);
  const round3_of_a = A.round3(merchant.round2(way([first], 1)[0] as Signed));
  const round3 = merchant.round3(way(dealt_by_a, 2));
  const of_merchant = merchant.finish(way([round3_of_a], 3)[0] as Signed);
  const of_a = A.finish([round3_of_a, ...round3]);
  return { plan, of_a, of_merchant, signed: merchant.confirmed(of_merchant, of_a) };
}
