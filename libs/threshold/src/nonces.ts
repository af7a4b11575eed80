import { INSPECT } from './key-share';

/** Two scalars of 32 bytes. */
export interface NoncePair {
  readonly hiding: Uint8Array;
  readonly binding: Uint8Array;
}

/**
 * The secret of one signature: three shares under one pair tell the party's share of the key. So it is kept in memory
 * alone, is neither copied nor written down, and is taken once.
 */
export class Nonces {
  #pair: NoncePair | null;

  constructor(pair: NoncePair) {
    this.#pair = pair;
  }

  /** The pair, for the one time; the caller zeroes it. */
  take(): NoncePair | null {
    const pair = this.#pair;
    this.#pair = null;
    return pair;
  }

  /** Zeroes a pair that was not taken. */
  erase(): void {
    const pair = this.take();
    if (pair) erasePair(pair);
  }

  toJSON(): string {
    return this.toString();
  }

  toString(): string {
    return '[nonces]';
  }

  [INSPECT](): string {
    return this.toString();
  }
}

export function erasePair({ hiding, binding }: NoncePair): void {
  hiding.fill(0);
  binding.fill(0);
}
