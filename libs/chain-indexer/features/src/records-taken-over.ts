import type { StreamMode } from '@tender/eventing';

type Listener = (mode: StreamMode) => void;
const listeners = new Set<Listener>();

/**
 * Payments or merchants may have been written to the records by the process that led before, a moment ago: the
 * bus tells a consumer by name, so whoever keeps them in memory listens here.
 */
export const recordsTakenOver = {
  tell(this: void, mode: StreamMode): void {
    for (const listener of listeners) listener(mode);
  },
  listen(listener: Listener): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
