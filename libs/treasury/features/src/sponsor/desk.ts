import { Inject, Injectable } from '@nestjs/common';
import type { Runtime } from '@tender/eventing';
import { addressHash, RUNTIME } from '@tender/http';
import type { Mode, Refused } from '@tender/kernel';
import { refuse } from '@tender/kernel';
import { PRIORITY_LAMPORTS_MAX } from '@tender/transactions';
import { canPay, dayAllows, quotaSpent, type Cost, type QuotaSpent } from '@tender/treasury-domain';
import { TREASURY_SETTINGS, type TreasurySettings } from '../settings';
import { bookedInAll, type Booked } from '../spending/spending.record';
import { sponsorNow } from './sponsor.aggregate';
import type { FeeKey } from '../fee-key';

/** Why no fee is paid, for `details.reason`. */
export type GaslessFault =
  | QuotaSpent
  | 'no_sponsor'
  | 'sponsor_paused'
  | 'sponsor_balance_low'
  | 'account_made_before'
  | 'offer_withdrawn'
  | 'payer_is_sponsor';

/** Of a payment that makes no account, at most: two signatures, and the highest price that is offered. Lamports. */
const HIGHEST_FEE = 10_000n + PRIORITY_LAMPORTS_MAX;

export const gasless = (reason: GaslessFault): Refused<'gasless_unavailable'> =>
  refuse('gasless_unavailable', { reason });

/** What every question about a sponsored transaction looks at first. */
@Injectable()
export class SponsorDesk {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(TREASURY_SETTINGS) private readonly settings: TreasurySettings,
  ) {}

  /** The key of a mode that pays now, or why none does. */
  async keyOf(mode: Mode): Promise<FeeKey | Refused<'gasless_unavailable'>> {
    const key = this.settings.sponsors[mode];
    if (key === null) return gasless('no_sponsor');
    const { paused } = await sponsorNow(this.runtime, mode);
    return paused === null ? key : gasless('sponsor_paused');
  }

  /**
   * Whether it pays for anyone at all now: for whom it does is looked at for each payment. While the next fee might be
   * more than is left of the day or of its balance, none is promised.
   */
  async paysIn(mode: Mode): Promise<boolean> {
    const key = await this.keyOf(mode);
    if ('ok' in key) return false;
    const { readModels, clock } = this.runtime;
    const booked = await bookedInAll(readModels, mode, clock.wall());
    if (!dayAllows(this.settings.quotas, booked, { lamports: HIGHEST_FEE })) return false;
    return canPay(await this.balanceOf(mode, key), booked.promised, HIGHEST_FEE);
  }

  /** What the sponsor holds. Lamports. */
  async balanceOf(mode: Mode, key: FeeKey): Promise<bigint> {
    const [account] = await this.runtime.chains[mode].accounts([key.address]);
    return account?.lamports ?? 0n;
  }

  /** Why that is not paid beside what is booked; null where it is. */
  faultOf(booked: Booked, balance: bigint, cost: Cost): GaslessFault | null {
    const spent = quotaSpent(this.settings.quotas, booked, cost);
    if (spent !== null) return spent;
    if (booked.made_before) return 'account_made_before';
    return canPay(balance, booked.promised, cost.lamports) ? null : 'sponsor_balance_low';
  }

  /** What stands for an address in the quotas. */
  addressHash(client_address: string): string {
    return addressHash(this.runtime.keyRing, 'treasury.client-address', client_address);
  }
}
