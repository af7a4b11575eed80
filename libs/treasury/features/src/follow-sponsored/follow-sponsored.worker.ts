import { Rounds, type Runtime, type Worker } from '@tender/eventing';
import { timeOf, type Mode } from '@tender/kernel';
import { openSpendings, prune } from '../spending/spending.record';
import { sponsoredBytes } from '../sponsor-transaction/sponsored-bytes';
import { endWhatHasEnded, type InFlight } from './end-what-has-ended';

/** What the leader wakes when it has sent something. */
export interface FollowSponsored {
  wake(mode: Mode): void;
}

/** Between looks at what is in flight; a local chain is fast. */
const LOOK_MS = { localnet: 100, devnet: 1_000, 'mainnet-beta': 1_000 } as const;
/** While nothing is in flight: another process may have left something. */
const REST_MS = 5_000;
const AFTER_FAILURE_MS = 1_000;
const RESEND_MS = 2_000;
const PRUNE_MS = 600_000;

/**
 * Follows every transaction that the sponsor has signed to its end, and sends the same bytes again until then, or until
 * the payment expires: later money would pay for nothing.
 */
export class FollowSponsoredWorker implements Worker {
  readonly name: string;
  private readonly rounds = new Rounds(
    () => this.look(),
    (error) => this.lookLater(error),
  );
  private readonly sent_wall_ms = new Map<string, number>();
  private pruned_wall_ms = 0;

  constructor(
    private readonly runtime: Runtime,
    private readonly mode: Mode,
  ) {
    this.name = `treasury.follow-sponsored.${mode}`;
  }

  async start(): Promise<void> {
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  wake(): void {
    this.rounds.wake();
  }

  private lookLater(error: unknown): number {
    this.runtime.log.warn({ err: error, mode: this.mode }, 'sponsored transactions wait');
    return AFTER_FAILURE_MS;
  }

  private async look(): Promise<number> {
    const { runtime, mode } = this;
    const opened = await openSpendings(runtime.readModels, mode);
    const now_ms = runtime.clock.wall();
    if (now_ms - this.pruned_wall_ms > PRUNE_MS) {
      this.pruned_wall_ms = now_ms;
      await prune(runtime.readModels, mode, now_ms);
    }
    if (opened.length === 0) return REST_MS;
    const flying = await endWhatHasEnded(runtime, mode, opened);
    const signatures = new Set(flying.map(({ transaction_signature }) => transaction_signature));
    for (const sent of this.sent_wall_ms.keys()) {
      if (!signatures.has(sent)) this.sent_wall_ms.delete(sent);
    }
    for (const one of flying) await this.sendAgain(one);
    return LOOK_MS[runtime.chains[mode].network];
  }

  private async sendAgain({ state, transaction_signature }: InFlight): Promise<void> {
    const { runtime, mode } = this;
    if (runtime.clock.now() > timeOf(state.offer.expires_at)) return;
    const sent_ms = this.sent_wall_ms.get(transaction_signature) ?? 0;
    if (runtime.clock.wall() - sent_ms < RESEND_MS || state.signed === null) return;
    this.sent_wall_ms.set(transaction_signature, runtime.clock.wall());
    await runtime.chains[mode].send(sponsoredBytes(state.offer, state.signed));
  }
}
