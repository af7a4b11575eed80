import type { ChainBlock, Runtime } from '@tender/eventing';
import type { CursorLease } from '../move-cursor/cursor-lease';
import type { NetworkMemory } from '../network-memory/network-memory';

/** Slots asked for at once. */
const SLOTS_MAX = 64;
/** Blocks that are fetched while earlier ones are worked on. */
const AHEAD_MAX = 4;

/** What the chain has added after a slot. */
export interface NewBlocks {
  readonly slots: readonly number[];
  /** In order; fetched as they are asked for. */
  readonly blocks: AsyncIterable<ChainBlock> | Iterable<ChainBlock>;
  /** The chain may have added more than these. */
  readonly more: boolean;
}

/** Reads a network's blocks in order. Each key of each block is looked up in the book, and remembered. */
export class BlockReader {
  constructor(
    private readonly runtime: Pick<Runtime, 'chains' | 'clock'>,
    private readonly memory: NetworkMemory,
    private readonly lease: CursorLease,
  ) {}

  /**
   * A block that is there and comes right after `slot` needs no list of slots: one request for a block instead
   * of two. Whatever else the answer to a hint is, the list decides.
   */
  async after(slot: number, hinted_slot: number): Promise<NewBlocks> {
    const hinted =
      hinted_slot === slot + 1 ? await this.fetch(hinted_slot).catch(() => null) : null;
    if (hinted) return { slots: [hinted.slot], blocks: [hinted], more: false };
    const slots = await this.memory.silence.ask(() => this.chain.slotsAfter(slot, SLOTS_MAX));
    return { slots, blocks: this.blocks(slots), more: slots.length === SLOTS_MAX };
  }

  private async *blocks(slots: readonly number[]): AsyncGenerator<ChainBlock> {
    const fetching: Promise<ChainBlock | null>[] = [];
    for (let index = 0; index < slots.length; index += 1) {
      while (fetching.length < AHEAD_MAX && index + fetching.length < slots.length) {
        const fetched = this.fetch(slots[index + fetching.length] as number);
        // Its failure is seen when it is this block's turn.
        fetched.catch(() => undefined);
        fetching.push(fetched);
      }
      const block = await fetching.shift();
      if (block) yield block;
      await this.lease.renew();
    }
  }

  private async fetch(slot: number): Promise<ChainBlock | null> {
    const { book, silence } = this.memory;
    const keys = book.recent.record(slot, this.runtime.clock.wall());
    try {
      return await silence.ask(() =>
        this.chain.block(slot, (key) => {
          keys.add(key);
          return book.knows(key);
        }),
      );
    } finally {
      keys.end();
    }
  }

  private get chain() {
    return this.runtime.chains[this.memory.mode];
  }
}
