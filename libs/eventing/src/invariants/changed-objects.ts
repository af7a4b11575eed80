import type { Category, Position, StoredEvent, StreamName } from '../events/event';
import type { EventStore } from '../ports/event-store';

export interface ChangedSince {
  /** For logs and metrics. */
  readonly name: string;
  readonly categories: readonly Category[];
  readonly from: Position | null;
  readonly signal: AbortSignal;
}

/** So many objects are handed over at once. */
const OBJECTS_MAX = 512;
const BATCH_MAX = 1_000;

/**
 * Objects that something has happened to since then, up to the end that the log has now, each at least once.
 * `up_to`: all that changed up to there has been handed over once these objects have. Rejects as `handle` does.
 */
export async function eachChanged(
  eventStore: Pick<EventStore, 'follow'>,
  { name, categories, from, signal }: ChangedSince,
  handle: (streams: readonly StreamName[], up_to: Position | null) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const changed = new Set<StreamName>();
  const failed = Promise.withResolvers<never>();
  let reached = from;
  let ended = false;
  const hand = async (): Promise<void> => {
    await handle([...changed], reached);
    changed.clear();
  };
  const end = (error: unknown): void => {
    ended = true;
    failed.reject(error);
  };
  const stop = (): void => end(signal.reason);
  failed.promise.catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const follower = eventStore.follow({
    ...{ name, categories, from, batch_max: BATCH_MAX },
    async onEvents(events) {
      if (ended) return;
      for (const { stream } of events) changed.add(stream);
      reached = (events.at(-1) as StoredEvent).position;
      if (changed.size >= OBJECTS_MAX) await hand().catch(end);
    },
    onProgress: (position) => void (ended || (reached = position)),
  });
  try {
    await Promise.race([follower.idle(), failed.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    await follower.stop();
  }
  await hand();
}
