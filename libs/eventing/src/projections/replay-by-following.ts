import type { Category, Position, StoredEvent } from '../events/event';
import type { EventStore } from '../ports/event-store';
import type { ReplayLog } from './replay';

const LOOK_AGAIN_MS = 10_000;

/** A batch that the follower has handed over and that is not yet taken. */
interface Offered {
  readonly events: readonly StoredEvent[];
  readonly taken: () => void;
}

/**
 * A log to replay, for a store that hands over only what is final to its followers. How many events there are
 * only reading tells. `lag` and `close` are the store's own.
 */
export function replayByFollowing(
  store: Pick<EventStore, 'isBefore' | 'follow' | 'load'>,
  { lag, close }: Pick<ReplayLog, 'lag' | 'close'>,
): ReplayLog {
  return {
    isBefore: (position, other) => store.isBefore(position, other),
    load: (stream) => store.load(stream),
    batches,
    foldedBatches: batches,
    count: () => Promise.resolve(null),
    lag,
    close,
  };

  async function* batches(
    categories: readonly Category[],
    from: Position | null,
    until: Position | null,
    batch_max: number,
  ): AsyncGenerator<readonly StoredEvent[]> {
    let offered: Offered | null = null;
    let ended = false;
    let wake = (): void => undefined;
    const follower = store.follow({
      ...{ name: 'replay', categories, from, batch_max },
      onEvents: (events) =>
        new Promise((taken) => {
          if (ended) return taken();
          offered = { events, taken };
          wake();
        }),
    });
    const arrival = async (): Promise<void> => {
      if (until === null) return follower.idle();
      while (!ended && !(await follower.reached(until, LOOK_AGAIN_MS)));
    };
    const end = (): void => {
      ended = true;
      wake();
    };
    let failure: unknown = null;
    arrival().then(end, (error: unknown) => {
      failure = error;
      end();
    });
    try {
      while (!ended || offered) {
        const { events, taken }: Partial<Offered> = offered ?? {};
        if (!events || !taken) {
          await new Promise<void>((resolve) => (wake = resolve));
          continue;
        }
        offered = null;
        const wanted = events.filter(({ position }) => !until || !store.isBefore(until, position));
        try {
          if (wanted.length > 0) yield wanted;
        } finally {
          // A reader that has enough does not come back for more.
          taken();
        }
      }
      if (failure !== null) throw failure;
    } finally {
      end();
      (offered as Offered | null)?.taken();
      await follower.stop();
    }
  }
}
