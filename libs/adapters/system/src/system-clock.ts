import type { Clock } from '@tender/kernel';

export interface SystemClock extends Clock {
  /** How far business time is ahead of the machine's, in milliseconds. */
  offset(): number;
  /** Business time never goes back: an offset below the present one is ignored. */
  setOffset(offset_ms: number): void;
  /** Calls `listener` after the offset has grown; the function that it returns unsubscribes. */
  onChange(listener: (offset_ms: number) => void): () => void;
}

/** Both times from the machine's clock; business time is `offset_ms` ahead of it. */
export function systemClock({ offset_ms = 0 }: { offset_ms?: number } = {}): SystemClock {
  const listeners = new Set<(offset_ms: number) => void>();
  let offset = offset_ms;
  return {
    now: () => Date.now() + offset,
    wall: () => Date.now(),
    offset: () => offset,
    setOffset(ms) {
      if (ms <= offset) return;
      offset = ms;
      for (const listener of [...listeners]) listener(offset);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
