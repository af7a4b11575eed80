const SLOTS = 1 << 20;
const FULL = 255;

/**
 * Tells most strangers' keys by one look into a megabyte. The maps that know exactly are as big as the
 * pending payments are many, and each look into them waits for memory.
 */
export class KeyFilter {
  private readonly counts = new Uint8Array(SLOTS);

  /** Once for each key; `print` is its `printOf`. */
  add(print: number): void {
    const slot = print % SLOTS;
    const count = this.counts[slot] as number;
    // A full slot has lost count and stays: a needless look, never a missed one.
    if (count < FULL) this.counts[slot] = count + 1;
  }

  remove(print: number): void {
    const slot = print % SLOTS;
    const count = this.counts[slot] as number;
    if (count < FULL) this.counts[slot] = count - 1;
  }

  mayHold(print: number): boolean {
    return this.counts[print % SLOTS] !== 0;
  }
}

/** Keys are random, so six of their characters are as good as a hash of 32 bits. */
export function printOf(key: string): number {
  let print = 0;
  for (let index = Math.max(0, key.length - 6); index < key.length; index += 1) {
    print = (Math.imul(print, 58) + key.charCodeAt(index)) >>> 0;
  }
  return print;
}
