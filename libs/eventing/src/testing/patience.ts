import type { EventStore } from '../ports/event-store';
import type { ReadModels } from '../ports/read-models';

const PATIENCE_MS = 120_000;

/**
 * The program waits a second or two for its followers, then goes on without them. Where a spec is about what they do,
 * they get as long as a slow machine needs.
 */
export function waitLong(ports: { readModels: ReadModels; eventStore?: EventStore }): void {
  const { readModels, eventStore } = ports;
  const waitFor = readModels.waitFor.bind(readModels);
  readModels.waitFor = (schema, follower, position, timeout_ms) =>
    waitFor(schema, follower, position, Math.max(timeout_ms, PATIENCE_MS));
  if (!eventStore) return;
  const follow = eventStore.follow.bind(eventStore);
  eventStore.follow = (options) => {
    const follower = follow(options);
    return {
      idle: () => follower.idle(),
      reached: (position, timeout_ms) =>
        follower.reached(position, Math.max(timeout_ms, PATIENCE_MS)),
      stop: () => follower.stop(),
    };
  };
}
