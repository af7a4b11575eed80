import { uuidOf } from '@tender/kernel';
import type { Random } from '@tender/eventing';

/** The same random numbers on every run with the same seed (xorshift32). */
export function seededRandom(seed = 1): Random {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  const bytes = (length: number): Buffer => {
    const filled = Buffer.alloc(length);
    for (let index = 0; index < length; index += 1) filled[index] = next() & 0xff;
    return filled;
  };
  return { bytes, uuid: () => uuidOf(bytes(16)), fraction: () => next() / 2 ** 32 };
}
