import { printOf } from './key-filter';

/** Wall time for which the keys of read blocks are remembered. */
const REMEMBERED_MS = 60_000;
/** Keys remembered at most, four bytes each: 16 MB. */
const PRINTS_MAX = 4_000_000;
/** Clocks of two processes may differ by this much. */
const SKEW_MS = 10_000;

interface ReadKeys {
  readonly slot: number;
  readonly wall_ms: number;
  /** Sorted, each once; two keys with one print cost a needless look-up, never a missed one. */
  readonly prints: Uint32Array;
}

/**
 * 32-bit prints of the keys of the last minute's blocks: they say whether a watch that came after blocks
 * may be named in them, and in which, without a request to the chain.
 */
export class RecentKeys {
  private blocks: ReadKeys[] = [];
  private prints = 0;
  private readonly recording = new Set<{ readonly slot: number; readonly prints: Set<number> }>();

  /** `complete_since`: no block was read between that wall time and now, but those recorded here. */
  constructor(
    private complete_since = Number.POSITIVE_INFINITY,
    private readonly prints_max = PRINTS_MAX,
  ) {}

  /**
   * No block was read before, and every block since `SKEW_MS` before this time will be recorded here:
   * payments recorded from now on miss nothing.
   */
  begin(wall_ms: number): void {
    this.restart(wall_ms - SKEW_MS);
  }

  /** Begins again, after blocks that were not recorded here. */
  restart(complete_since: number): void {
    this.blocks = [];
    this.prints = 0;
    this.complete_since = complete_since;
  }

  /** Of a block that is being read. */
  record(slot: number, wall_ms: number): { add(key: string): void; end(): void } {
    const reading = { slot, prints: new Set<number>() };
    this.recording.add(reading);
    return {
      add: (key) => void reading.prints.add(printOf(key)),
      end: () => {
        this.recording.delete(reading);
        const prints = Uint32Array.from(reading.prints).sort();
        if (prints.length > 0) this.blocks.push({ slot, wall_ms, prints });
        this.prints += prints.length;
        this.forget(wall_ms - REMEMBERED_MS);
      },
    };
  }

  /**
   * The slots, rising, of the remembered blocks that may name the key; null when blocks read since
   * `recorded_wall_ms` are not remembered, or when it is so far ahead of `wall_ms`, our own clock, that it
   * says nothing.
   */
  slotsNaming(key: string, recorded_wall_ms: number, wall_ms: number): readonly number[] | null {
    const since = recorded_wall_ms - SKEW_MS;
    if (since < this.complete_since || since > wall_ms) return null;
    const print = printOf(key);
    const slots = new Set<number>();
    // All of them: a payment may have been recorded earlier than a clock that is ahead says.
    for (const block of this.blocks) if (holds(block.prints, print)) slots.add(block.slot);
    for (const { slot, prints } of this.recording) if (prints.has(print)) slots.add(slot);
    return [...slots].sort((one, other) => one - other);
  }

  private forget(before: number): void {
    let forgotten = 0;
    for (const { wall_ms, prints } of this.blocks) {
      if (wall_ms >= before && this.prints <= this.prints_max) break;
      // A watch recorded in the same millisecond is looked up: its `since` has to be later than this.
      this.complete_since = Math.max(this.complete_since, wall_ms + 1);
      this.prints -= prints.length;
      forgotten += 1;
    }
    if (forgotten > 0) this.blocks = this.blocks.slice(forgotten);
  }
}

function holds(sorted: Uint32Array, print: number): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] as number;
    if (value === print) return true;
    if (value < print) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
