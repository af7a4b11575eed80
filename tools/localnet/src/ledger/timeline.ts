import { invariant } from '@tender/kernel';

/**
 * A run of slots without a gap, each with a block. Blocks without transactions are never stored:
 * slot, time, height and hash of a block follow from its stretch, so an idle ledger costs nothing.
 * Slots between two stretches were skipped.
 */
export interface Stretch {
  readonly firstSlot: number;
  /** Null for the one stretch that still grows with the clock. */
  readonly lastSlot: number | null;
  readonly startMs: number;
  /** Milliseconds per slot; 0 for blocks that were produced in one go by a warp. */
  readonly slotMs: number;
  /** Which fork these blocks belong to: the same slot on another fork has another hash. */
  readonly fork: number;
}

/** How the ledger's log states a change: what was after `keepUntil` is replaced by `add`. */
export interface TimelineChange {
  readonly keepUntil: number;
  readonly add: readonly Stretch[];
}

/** Skipping more than this per jump would only push followers over getBlocks' range limit. */
const JUMP_SLOTS_MAX = 1_000;

/** Which slots have blocks, and when. Pure in memory: the ledger writes each change to its log. */
export class Timeline {
  private readonly stretches: Stretch[];
  private newest: number;
  /** Counts changes, for code that keeps what it computed from the timeline. */
  revision = 0;

  constructor(first: Stretch) {
    this.stretches = [first];
    this.newest = first.firstSlot;
  }

  get firstSlot(): number {
    return this.at(0).firstSlot;
  }

  /** The newest slot handed out so far: the block that is being filled. */
  get tip(): number {
    return this.newest;
  }

  get fork(): number {
    return this.open.fork;
  }

  /** The next slot that will have a block: skips that are still to come count. */
  get nextSlot(): number {
    return Math.max(this.newest + 1, this.open.firstSlot);
  }

  /** Milliseconds per slot of the blocks to come. */
  get slotMs(): number {
    return this.open.slotMs;
  }

  private get open(): Stretch {
    return this.at(this.stretches.length - 1);
  }

  private at(index: number): Stretch {
    const stretch = this.stretches[index];
    invariant(stretch, 'a timeline always has the stretch it points at');
    return stretch;
  }

  /** Moves the tip to the slot of `nowMs`; never back. */
  follow(nowMs: number): number {
    const { firstSlot, startMs, slotMs } = this.open;
    if (nowMs >= startMs) {
      const slot = firstSlot + Math.floor((nowMs - startMs) / slotMs);
      this.newest = Math.max(this.newest, slot);
    }
    return this.newest;
  }

  /** Replay: a slot that the log mentions had been handed out. */
  reach(slot: number): void {
    this.newest = Math.max(this.newest, slot);
  }

  apply(change: TimelineChange): void {
    const { keepUntil, add } = change;
    invariant(add.at(-1)?.lastSlot === null, 'the last stretch of a timeline is open');
    const kept = this.indexOf(keepUntil);
    this.stretches.length = kept + 1;
    if (kept >= 0) {
      const { lastSlot, ...stretch } = this.at(kept);
      const cut = lastSlot === null ? keepUntil : Math.min(lastSlot, keepUntil);
      this.stretches[kept] = { ...stretch, lastSlot: cut };
    }
    this.stretches.push(...add);
    this.revision += 1;
    if (!this.isBlock(this.newest)) this.newest = this.newestBlockUpTo(this.newest);
  }

  /** Index of the last stretch that starts at or before `slot`, or -1. */
  private indexOf(slot: number): number {
    let low = 0;
    let high = this.stretches.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle).firstSlot <= slot) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private lastSlotOf(stretch: Stretch): number {
    return stretch.lastSlot ?? Math.max(this.newest, stretch.firstSlot - 1);
  }

  isBlock(slot: number): boolean {
    const index = this.indexOf(slot);
    return index >= 0 && slot <= this.lastSlotOf(this.at(index)) && slot <= this.newest;
  }

  /** The newest block at or before `slot`; the first block when there is none. */
  newestBlockUpTo(slot: number): number {
    const index = this.indexOf(slot);
    if (index < 0) return this.firstSlot;
    const last = Math.min(slot, this.lastSlotOf(this.at(index)));
    return last >= this.at(index).firstSlot ? last : this.newestBlockUpTo(last);
  }

  /** The newest block that had begun at `ms`; the first block when there is none. */
  newestBlockAt(ms: number): number {
    const stretch = this.stretches.findLast(
      (one) => one.startMs <= ms && this.lastSlotOf(one) >= one.firstSlot,
    );
    if (!stretch) return this.firstSlot;
    const { firstSlot, startMs, slotMs } = stretch;
    const passed = slotMs === 0 ? Number.POSITIVE_INFINITY : Math.floor((ms - startMs) / slotMs);
    return Math.min(this.lastSlotOf(stretch), firstSlot + passed);
  }

  /** The block before the block of `slot`, or null for the first one. */
  parentOf(slot: number): number | null {
    return slot <= this.firstSlot ? null : this.newestBlockUpTo(slot - 1);
  }

  startMsOf(slot: number): number {
    const index = this.indexOf(slot);
    const stretch = this.at(Math.max(0, index));
    return stretch.startMs + Math.max(0, slot - stretch.firstSlot) * stretch.slotMs;
  }

  forkOf(slot: number): number {
    return this.at(Math.max(0, this.indexOf(slot))).fork;
  }

  /** Slots with a block in `from..to` (both included), oldest first, at most `limit`. */
  blocksBetween(from: number, to: number, limit = Infinity): number[] {
    const slots: number[] = [];
    const start = Math.max(0, this.indexOf(from));
    for (let index = start; index < this.stretches.length; index += 1) {
      const stretch = this.at(index);
      const last = Math.min(to, this.lastSlotOf(stretch));
      for (let slot = Math.max(from, stretch.firstSlot); slot <= last; slot += 1) {
        if (slots.length >= limit) return slots;
        slots.push(slot);
      }
      if (stretch.firstSlot > to) break;
    }
    return slots;
  }

  /** The oldest block whose time is at or after `unixSeconds`, or null. */
  firstBlockSince(unixSeconds: number): number | null {
    const reached = (slot: number) => Math.floor(this.startMsOf(slot) / 1000) >= unixSeconds;
    for (let index = 0; index < this.stretches.length; index += 1) {
      const stretch = this.at(index);
      const last = this.lastSlotOf(stretch);
      if (last < stretch.firstSlot || !reached(last)) continue;
      let low = stretch.firstSlot;
      let high = last;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (reached(middle)) high = middle;
        else low = middle + 1;
      }
      return low;
    }
    return null;
  }

  /** Time goes on at `toMs`: the slots that would have passed since `fromMs` are skipped. */
  planJump(fromMs: number, toMs: number): TimelineChange {
    const passed = Math.max(0, Math.floor((toMs - fromMs) / this.open.slotMs));
    const firstSlot = this.nextSlot + Math.min(passed, JUMP_SLOTS_MAX);
    return { keepUntil: this.tip, add: [this.openStretch(firstSlot, toMs)] };
  }

  /** Further slots last `slotMs`. */
  planSpeed(slotMs: number): TimelineChange {
    return this.planSpeedFrom(this.startMsOf(this.nextSlot), slotMs);
  }

  /** The slot that is being filled ends at `nowMs`; further ones last `slotMs`. */
  planSpeedAt(nowMs: number, slotMs: number): TimelineChange {
    return this.planSpeedFrom(Math.max(nowMs, this.startMsOf(this.tip)), slotMs);
  }

  private planSpeedFrom(startMs: number, slotMs: number): TimelineChange {
    return { keepUntil: this.tip, add: [{ ...this.openStretch(this.nextSlot, startMs), slotMs }] };
  }

  /** The clock's slot becomes `slot` at `nowMs`; slots in between are skipped. */
  planSlot(slot: number, nowMs: number): TimelineChange {
    invariant(slot > this.tip, 'slots only move forwards');
    const startMs = Math.max(nowMs, this.startMsOf(this.tip));
    return { keepUntil: this.tip, add: [this.openStretch(Math.max(slot, this.nextSlot), startMs)] };
  }

  /** `count` further blocks at once, all with the time `nowMs`. */
  planBlocks(count: number, nowMs: number): TimelineChange {
    const firstSlot = this.nextSlot;
    const lastSlot = firstSlot + count - 2;
    const { keepUntil, add } = this.planSlot(lastSlot + 1, nowMs);
    const next = add.map((stretch) => ({ ...stretch, firstSlot, lastSlot, slotMs: 0 }));
    return { keepUntil, add: count > 1 ? [...next, ...add] : add };
  }

  /** The next `count` slots will have no block. */
  planSkip(count: number): TimelineChange {
    const lastSkipped = this.nextSlot + count - 1;
    return { keepUntil: this.tip, add: this.portionsAfter(lastSkipped, this.fork) };
  }

  /** Every block after `slot` is replaced by an empty one of another fork. */
  planFork(slot: number): TimelineChange {
    return { keepUntil: slot, add: this.portionsAfter(slot, this.fork + 1) };
  }

  private portionsAfter(slot: number, fork: number): Stretch[] {
    return this.stretches
      .filter((stretch) => stretch.lastSlot === null || stretch.lastSlot > slot)
      .map((stretch) => {
        const firstSlot = Math.max(stretch.firstSlot, slot + 1);
        const startMs = stretch.startMs + (firstSlot - stretch.firstSlot) * stretch.slotMs;
        return { ...stretch, firstSlot, startMs, fork };
      });
  }

  private openStretch(firstSlot: number, startMs: number): Stretch {
    return { firstSlot, lastSlot: null, startMs, slotMs: this.open.slotMs, fork: this.fork };
  }
}
