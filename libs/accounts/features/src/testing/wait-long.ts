import type { Runtime } from '@tender/eventing';

const PATIENCE_MS = 120_000;

/** Waits that the product gives up after some seconds end here only what hangs: a machine may be slow. */
export function waitLong({ readModels, eventStore }: Runtime): void {
  const waitFor = readModels.waitFor.bind(readModels);
  readModels.waitFor = (schema, follower, position, timeout_ms) =>
    waitFor(schema, follower, position, Math.max(timeout_ms, PATIENCE_MS));
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
