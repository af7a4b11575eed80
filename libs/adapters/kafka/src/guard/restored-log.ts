import type { EventStore } from '@tender/eventing';
import type { Landmark } from '../records/cloud-event';

/** A topic was filled from a log that went on otherwise than this one: an older copy was restored. */
export class RestoredLog extends Error {
  override readonly name = 'RestoredLog';
}

/** What an operator does about it. */
export const WAY_OUT =
  'Stop all services, delete the topics and set the relays back: docs/operations.md, "Restoring an older backup".';

/** Then everything of the log up to it is as it was when the landmark was written. Throws `Unavailable`. */
export async function isInLog(
  eventStore: Pick<EventStore, 'load'>,
  { stream, id, position }: Landmark,
): Promise<boolean> {
  const events = await eventStore.load(stream);
  return events.some((event) => event.metadata.id === id && event.position === position);
}
