import { streamName, type Category, type StoredEvent } from '../events/event';
import type { EventStore, Follower } from '../ports/event-store';
import { ownEvent } from '../aggregates/own-event';

/** Business time minus wall time, in milliseconds, from the newest `ClockMoved`. */
export type ClockOffset = { readonly offset_ms: number };
export type ClockMoved = { readonly type: 'ClockMoved'; readonly data: ClockOffset };

export const CLOCK_STREAM = streamName('clock', 'all', 'offset');
const CLOCK_CATEGORY: Category = 'clock.all';

interface MovableClock {
  setOffset(offset_ms: number): void;
}

/**
 * Business time goes on where it was before this process began, and goes with the other processes from then
 * on. Answers with the offset (ms) at the start.
 */
export async function followClock(
  eventStore: EventStore,
  clock: MovableClock,
): Promise<{ readonly offset_ms: number; readonly follower: Follower }> {
  const moves = await eventStore.load(CLOCK_STREAM);
  const last = moves.at(-1);
  const offset_ms = last ? offsetOf(last) : 0;
  clock.setOffset(offset_ms);
  const follower = eventStore.follow({
    name: 'clock',
    categories: [CLOCK_CATEGORY],
    from: last?.position ?? null,
    async onEvents(events) {
      for (const event of events) clock.setOffset(offsetOf(event));
    },
  });
  return { offset_ms, follower };
}

const offsetOf = (event: StoredEvent): number => ownEvent<ClockMoved>(event).data.offset_ms;
