import { setTimeout as sleep } from 'node:timers/promises';
import { NetworkRefused, pause, Unavailable, type Runtime, type Worker } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { CursorMoved, LeaseLost } from '../move-cursor/cursor.record';
import type { NetworkMemory } from '../network-memory/network-memory';
import { AwaitedPasses } from './awaited-passes';
import { FollowChain } from './follow-chain';
import { WrongNetwork } from './followed-network';
import { measureProgress } from './measure-progress';
import { Pace } from './pace.worker';

/** A pass costs a local chain nothing; a remote one is asked once per slot. */
const POLL_MS = { localnet: 50, devnet: 400, 'mainnet-beta': 400 } as const;
/** A process that waits for the lease asks for it this often. */
const STANDBY_MS = 500;
const BACKOFF_MS_MAX = 10_000;
/** One failure is an everyday thing: a node that does not serve its newest block yet. */
const FAILURES_OF_TROUBLE = 2;
/** Another chain stays another chain, but asking which one it is costs nothing. */
const WRONG_NETWORK_MS = 2_000;
const REACHED_MS_MAX = 55_000;
const REACHED_POLL_MS = 50;

/**
 * Follows one network for ever. While the chain or a store is down it waits longer and longer, moves
 * nothing and closes no watch: an outage expires no payment.
 */
export class FollowChainWorker implements Worker {
  readonly name: string;
  private readonly passes = new AwaitedPasses(() => this.pace.wake());
  private readonly pace: Pace;
  private stopping = new AbortController();
  private running: Promise<void> | null = null;
  private unsubscribes: readonly (() => void)[] = [];

  private readonly mode: Mode;

  constructor(
    private readonly runtime: Runtime,
    private readonly memory: NetworkMemory,
    private readonly poll_ms: number = POLL_MS[runtime.chains[memory.mode].network],
  ) {
    this.mode = memory.mode;
    this.name = `chain-indexer.follow-chain.${this.mode}`;
    this.pace = new Pace(poll_ms, runtime.clock);
  }

  async start(): Promise<void> {
    if (this.running) return;
    this.stopping = new AbortController();
    const owner = this.runtime.random.uuid();
    const follow = new FollowChain(this.runtime, this.memory, owner);
    this.unsubscribes = [
      this.runtime.chains[this.mode].onSlot((slot) => this.pace.hint(slot)),
      ...measureProgress(this.runtime, this.memory, follow, this.pace),
    ];
    this.running = this.run(follow);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.pace.stop();
    await this.running;
    for (const unsubscribe of this.unsubscribes) unsubscribe();
    this.running = null;
  }

  /**
   * The block time that ends the next watch. It ends when the chain has come there, not when a clock has: who
   * moves a clock has to move the chain.
   */
  async nextDue(): Promise<number | null> {
    return this.memory.book.nextEnd();
  }

  async idle(): Promise<void> {
    if (this.running && !this.stopping.signal.aborted) await this.passes.next();
  }

  /**
   * True once the chain was seen whole up to `block_time_ms` and every watch that had expired by then is
   * closed; false when that takes too long.
   */
  async reached(block_time_ms: number): Promise<boolean> {
    const { book, state } = this.memory;
    const deadline = this.runtime.clock.wall() + REACHED_MS_MAX;
    // Block times are whole seconds.
    const second = Math.floor(block_time_ms / 1000) * 1000;
    while (this.runtime.clock.wall() < deadline && !this.stopping.signal.aborted) {
      await this.idle();
      const seen = state.watermark_ms !== null && state.watermark_ms >= second;
      if (seen && !book.looksUp && !book.waitsFor(block_time_ms)) return true;
      await sleep(REACHED_POLL_MS);
    }
    return false;
  }

  private async run(follow: FollowChain): Promise<void> {
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      this.passes.begin();
      try {
        const more = await follow.pass(this.pace.begin());
        failures = 0;
        this.noteTrouble(null);
        this.passes.end(!more);
        if (!more) await this.pace.rest(follow.slot);
      } catch (error) {
        failures += 1;
        this.passes.end(true);
        // Neither a caller that waits nor a hint cuts it short.
        await pause(this.waitAfter(error, failures), this.stopping.signal);
      }
    }
    await follow.end().catch((error: unknown) => {
      this.runtime.log.warn({ mode: this.mode, reason: String(error) }, 'the lease was not given back');
    });
    this.passes.close();
  }

  private waitAfter(error: unknown, failures: number): number {
    if (error instanceof LeaseLost || error instanceof CursorMoved) {
      this.noteTrouble(null);
      return STANDBY_MS;
    }
    const wrong = error instanceof WrongNetwork || error instanceof NetworkRefused;
    if (wrong || failures >= FAILURES_OF_TROUBLE) this.noteTrouble(error);
    if (wrong) return WRONG_NETWORK_MS;
    const doubled = Math.min(BACKOFF_MS_MAX, this.poll_ms * 2 ** Math.min(failures - 1, 10));
    return doubled * (0.75 + this.runtime.random.fraction() / 2);
  }

  /** Logs trouble when it begins and when it ends, not at every try. */
  private noteTrouble(error: unknown): void {
    const { state } = this.memory;
    const { log } = this.runtime;
    const trouble = error === null ? null : troubleOf(error);
    if (trouble !== null && state.trouble === null) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ mode: this.mode, reason }, 'the chain is not followed');
    }
    if (trouble === null && state.trouble !== null) log.info({ mode: this.mode }, 'the chain is followed');
    state.trouble = trouble;
  }
}

/** Readiness shows it to everyone: addresses and messages of others stay in the log. */
function troubleOf(error: unknown): string {
  if (error instanceof WrongNetwork) return error.message;
  if (error instanceof NetworkRefused) return error.sentence;
  return error instanceof Unavailable ? `${error.part} is unavailable` : 'the chain cannot be read';
}
