import type { Runtime } from '@tender/eventing';
import type { PlacedCursor } from '../move-cursor/cursor.record';
import type { NetworkMemory } from '../network-memory/network-memory';

/** The endpoint shows another chain than the one that was followed so far. The message is for everyone. */
export class WrongNetwork extends Error {
  override readonly name = 'WrongNetwork';
}

/** While lists are empty, the newest slot is asked for this often. */
const TIP_EVERY_MS = 10_000;

/** Nodes behind one address are a few slots apart: one that is late for longer is something else. */
const LATE_MS_MAX = 2_000;

/** Whether what answers is still the chain that the cursor was moved along. */
export class FollowedNetwork {
  private tip_seen_wall_ms = Number.NEGATIVE_INFINITY;
  /** When the newest slot was first found before the cursor; null where it was not. */
  private late_since_wall_ms: number | null = null;

  constructor(
    private readonly runtime: Pick<Runtime, 'chains' | 'clock'>,
    private readonly memory: Pick<NetworkMemory, 'mode' | 'silence'>,
  ) {}

  /** The genesis hash of the chain that answers now. */
  async genesisHash({ genesis_hash }: PlacedCursor): Promise<string> {
    const found = await this.memory.silence.ask(() => this.chain.genesisHash());
    if (genesis_hash === null || genesis_hash === found) return found;
    throw new WrongNetwork(
      `the chain is ${found}, not ${genesis_hash}: name a node of that one again, or go on with this one by ` +
        this.command,
    );
  }

  /**
   * After a list that was empty: a ledger that was made anew or restored may end before the cursor, and what it
   * adds up to there would never be read.
   */
  async mustReach({ slot }: PlacedCursor): Promise<void> {
    const wall_ms = this.runtime.clock.wall();
    if (wall_ms - this.tip_seen_wall_ms < TIP_EVERY_MS) return;
    const newest = await this.memory.silence.ask(() => this.chain.slot());
    if (newest >= slot) {
      this.late_since_wall_ms = null;
      this.tip_seen_wall_ms = wall_ms;
      return;
    }
    this.late_since_wall_ms ??= wall_ms;
    if (wall_ms - this.late_since_wall_ms >= LATE_MS_MAX) {
      throw new WrongNetwork(
        `the node's newest slot is ${newest}, before ${slot}, which was read already. Where it is not only late ` +
          `(its ledger was made anew or restored), go on by ${this.command}`,
      );
    }
  }

  /** What answers next may be another ledger. */
  forgetTip(): void {
    this.tip_seen_wall_ms = Number.NEGATIVE_INFINITY;
  }

  private get command(): string {
    return `"tender ops chain-restart --mode ${this.memory.mode}"`;
  }

  private get chain() {
    return this.runtime.chains[this.memory.mode];
  }
}
