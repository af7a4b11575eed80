/** Told by whoever the bus calls by name, to whoever in this process listens. */
export interface Announcement<Told extends unknown[]> {
  tell(this: void, ...told: Told): void;
  /** The answer takes it back. */
  listen(listener: (...told: Told) => void): () => void;
}

export function announcement<Told extends unknown[]>(): Announcement<Told> {
  const listeners = new Set<(...told: Told) => void>();
  return {
    tell(...told) {
      for (const listener of listeners) listener(...told);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
