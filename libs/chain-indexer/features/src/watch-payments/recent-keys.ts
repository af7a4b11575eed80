/** Wall time for which the keys of read blocks are remembered. */
const REMEMBERED_MS = 60_000;
/** Clocks of two processes may differ by this much. */
const SKEW_MS = 10_000;

interface ReadKeys {
  readonly wall_ms: number;
  /** Sorted 32-bit prints; two keys with one print cost a needless look-up, never a missed one. */
  readonly prints: Uint32Array;
}

/**
 * The keys of the blocks of the last minute, four bytes each: whether a watch that comes late may have
 * missed something is known without asking the chain (settled 3).
 */
export class RecentKeys {
  private blocks: ReadKeys[] = [];
  private recording = new Set<number[]>();

  /** `complete_since`: no block was read between that wall time and now, but those recorded here. */
  constructor(private complete_since = Number.POSITIVE_INFINITY) {}

  /** Begins again, after blocks that were not recorded here. */
  restart(complete_since: number): void {
    this.blocks = [];
    this.complete_since = complete_since;
  }

  /** Of a block that is being read. */
  record(wall_ms: number): { add(key: string): void; end(): void } {
    const prints: number[] = [];
    this.recording.add(prints);
    return {
      add: (key) => void prints.push(printOf(key)),
      end: () => {
        this.recording.delete(prints);
        this.blocks.push({ wall_ms, prints: Uint32Array.from(prints).sort() });
        this.forget(wall_ms - REMEMBERED_MS);
      },
    };
  }

  /** True when a block that was read since `recorded_wall_ms` may name the key. */
  mayHold(key: string, recorded_wall_ms: number): boolean {
    const since = recorded_wall_ms - SKEW_MS;
    if (since < this.complete_since) return true;
    const print = printOf(key);
    for (const prints of this.recording) if (prints.includes(print)) return true;
    return this.blocks.some(({ wall_ms, prints }) => wall_ms >= since && holds(prints, print));
  }

  private forget(before: number): void {
    const kept = this.blocks.findIndex(({ wall_ms }) => wall_ms >= before);
    if (kept < 1) return;
    const { wall_ms } = this.blocks[kept - 1] as ReadKeys;
    this.complete_since = Math.max(this.complete_since, wall_ms);
    this.blocks = this.blocks.slice(kept);
  }
}

/** Keys are random, so six of their characters are as good as a hash. */
function printOf(key: string): number {
  let print = 0;
  for (let index = Math.max(0, key.length - 6); index < key.length; index += 1) {
    print = (Math.imul(print, 58) + key.charCodeAt(index)) >>> 0;
  }
  return print;
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
