import type { CustodyModel, Holder, Roster } from './roster';

/**
 * Who can move the money, computed from who holds shares. `self`: the merchant alone can, and Tender alone cannot.
 * All else is custody: `shared` of a merchant's money, `operator` of a customer's.
 */
export function custodyModelOf({ parties, threshold, beneficiary }: Roster): CustodyModel {
  const held = (by: Holder): number => parties.filter(({ holder }) => holder === by).length;
  if (held('tender') < threshold && held('merchant') >= threshold) return 'self';
  return beneficiary === 'customer' ? 'operator' : 'shared';
}
