import type { Runtime } from '@tender/eventing';
import { timeOf, type Mode } from '@tender/kernel';
import { ChainLooks, PRUNE_MS, RESEND_MS } from '../follow/chain-looks.worker';
import { Spaced } from '../follow/spaced';
import { openSpendings, prune } from '../spending/spending.record';
import { sponsoredBytes } from '../sponsor-transaction/sponsored-bytes';
import { endWhatHasEnded, type InFlight } from './end-what-has-ended';

/**
 * Follows every transaction that the sponsor has signed to its end, and sends the same bytes again until then, or until
 * the payment expires: later money would pay for nothing.
 */
export class FollowSponsoredWorker extends ChainLooks {
  private readonly sends: Spaced;
  private readonly prunes: Spaced;

  constructor(runtime: Runtime, mode: Mode) {
    super(runtime, mode, 'follow-sponsored');
    this.sends = new Spaced(runtime.clock, RESEND_MS);
    this.prunes = new Spaced(runtime.clock, PRUNE_MS);
  }

  protected async look(): Promise<boolean> {
    const { runtime, mode } = this;
    const opened = await openSpendings(runtime.readModels, mode);
    if (this.prunes.isTime(mode)) await prune(runtime.readModels, mode, runtime.clock.wall());
    if (opened.length === 0) return false;
    const flying = await endWhatHasEnded(runtime, mode, opened);
    this.sends.keepOnly(new Set(flying.map(({ transaction_signature }) => transaction_signature)));
    for (const one of flying) await this.sendAgain(one);
    return true;
  }

  private async sendAgain({ state, transaction_signature }: InFlight): Promise<void> {
    const { runtime, mode } = this;
    if (state.signed === null || runtime.clock.now() > timeOf(state.offer.expires_at)) return;
    if (!this.sends.isTime(transaction_signature)) return;
    await runtime.chains[mode].send(sponsoredBytes(state.offer, state.signed));
  }
}
