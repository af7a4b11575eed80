import type { StreamMode } from '@tender/eventing';

type Listener = (mode: StreamMode, wall_ms: number) => void;
const listeners = new Set<Listener>();

/**
 * How far the payments were heard: the bus tells a consumer by name, so whoever waits for it listens
 * here. Every payment recorded before `wall_ms` is watched or parked.
 */
export const watchPaymentsProgress = {
  tell(this: void, mode: StreamMode, wall_ms: number): void {
    for (const listener of listeners) listener(mode, wall_ms);
  },
  listen(listener: Listener): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
