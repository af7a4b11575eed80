import { LAG_EVENTS_MAX, type Category, type Lag, type Position } from '@tender/eventing';
import { timeOf } from '@tender/kernel';
import type { LogClient } from './log-client';
import { categoriesRequest } from './requests';
import { positionOf, storedEvent } from './stored-events';

interface Reading {
  readonly client: LogClient;
  readonly read_timeout_ms: number;
  readonly wall: () => number;
}

/** Counts by reading on: positions are byte offsets, and say nothing of how many events lie between. */
export async function readLag(
  { client, read_timeout_ms, wall }: Reading,
  categories: readonly Category[],
  from: Position | null,
): Promise<Lag> {
  const after = Number(from ?? 0);
  // A read begins with the event at its position.
  const request = categoriesRequest(categories, after, LAG_EVENTS_MAX + 2);
  let events = 0;
  let oldest_ms: number | null = null;
  for await (const message of client.read(request, read_timeout_ms)) {
    const recorded = message.getEvent()?.getEvent();
    if (!recorded || positionOf(recorded) <= after) continue;
    oldest_ms ??= timeOf(storedEvent(recorded).metadata.recorded_at);
    events += 1;
  }
  const seconds = oldest_ms === null ? 0 : Math.max(0, (wall() - oldest_ms) / 1_000);
  return { events: Math.min(events, LAG_EVENTS_MAX), capped: events > LAG_EVENTS_MAX, seconds };
}
