import { Rounds, type Runtime, type SignatureStatuses, type Worker } from '@tender/eventing';
import { timeOf, type Mode } from '@tender/kernel';
import type { KnownSponsorship } from '@tender/treasury-domain';
import { openSpendings, prune, unbook, type OpenSpending } from '../spending/spending.record';
import { sponsorship } from '../sponsor/sponsorship.aggregate';
import { sponsoredBytes } from '../sponsor-transaction/sponsored-bytes';
import { endSponsored, outcomeOf } from './end-sponsored';

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
/** Statuses that one request can ask for. */
const STATUSES_MAX = 256;

/** One that may land, with what was recorded of it. */
interface InFlight {
  readonly open: OpenSpending;
  readonly state: KnownSponsorship;
  readonly transaction_signature: string;
}

/**
 * Follows every transaction that the sponsor has signed to its end, and sends the same bytes again until then, or until
 * the payment expires: later money would pay for nothing. What is booked and not signed when its blockhash is dead was
 * never sent.
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

  /** Ends come with blocks, not at a time. */
  async nextDue(): Promise<number | null> {
    return null;
  }

  async idle(): Promise<void> {
    // What is in flight ends when the chain says so, whatever time it is.
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
    const opened = (await openSpendings(runtime.readModels, mode)).slice(0, STATUSES_MAX);
    const now_ms = runtime.clock.wall();
    if (now_ms - this.pruned_wall_ms > PRUNE_MS) {
      this.pruned_wall_ms = now_ms;
      await prune(runtime.readModels, mode, now_ms);
    }
    if (opened.length === 0) return REST_MS;
    const found = await Promise.all(opened.map((open) => this.inFlight(open)));
    const flying = found.filter((one) => one !== null);
    const seen = await runtime.chains[mode].signatureStatuses(
      flying.map(({ transaction_signature }) => transaction_signature),
    );
    for (const [index, one] of flying.entries()) await this.follow(one, index, seen);
    const unsigned = opened.filter((_, index) => found[index] === null);
    for (const open of unsigned) await this.forget(open, seen.finalized_block_height);
    return LOOK_MS[runtime.chains[mode].network];
  }

  /** As the log has it; null: it was booked, and is not signed. */
  private async inFlight(open: OpenSpending): Promise<InFlight | null> {
    const state = await sponsorship.load(this.runtime, this.mode, open.payment_id);
    const signed = state?.signed ?? null;
    if (state === null || signed?.message_hash !== open.message_hash) return null;
    return { open, state, transaction_signature: signed.transaction_signature };
  }

  private async follow(one: InFlight, index: number, seen: SignatureStatuses): Promise<void> {
    const { runtime, mode } = this;
    const { open, state, transaction_signature } = one;
    const { statuses, finalized_block_height } = seen;
    const is_dead = open.last_valid_block_height < finalized_block_height;
    const finalized = runtime.chains[mode].commitment === 'finalized';
    const outcome = outcomeOf(statuses[index] ?? null, finalized, is_dead);
    if (outcome !== null) {
      this.sent_wall_ms.delete(transaction_signature);
      return endSponsored(runtime, mode, open, state, outcome);
    }
    if (runtime.clock.now() > timeOf(state.offer.expires_at)) return;
    const sent_ms = this.sent_wall_ms.get(transaction_signature) ?? 0;
    if (runtime.clock.wall() - sent_ms < RESEND_MS || state.signed === null) return;
    this.sent_wall_ms.set(transaction_signature, runtime.clock.wall());
    await runtime.chains[mode].send(sponsoredBytes(state.offer, state.signed));
  }

  /** Nobody can sign it any more in time: its payment and its account are free again. */
  private async forget(open: OpenSpending, finalized_block_height: number): Promise<void> {
    if (open.last_valid_block_height >= finalized_block_height) return;
    await unbook(this.runtime.readModels, { mode: this.mode, ...open });
  }
}
