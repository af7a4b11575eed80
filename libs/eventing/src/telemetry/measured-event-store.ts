import { categoryOf, type NewEvent, type StreamMode, type StreamName } from '../events/event';
import type { Appended, EventStore, Follower, FollowOptions } from '../ports/event-store';
import type { Following } from './following';
import type { Telemetry } from '../ports/telemetry';

/** The same log, whichever it is, with its appends and followers measured. */
export function measuredEventStore(
  store: EventStore,
  telemetry: Telemetry,
  following: Following,
): EventStore {
  return {
    load: (stream) => store.load(stream),
    newest: () => store.newest(),
    isBefore: (position, other) => store.isBefore(position, other),
    follow: (options) => measuredFollower(store, following, options),

    async append(stream, events, expected) {
      const began = telemetry.ticks();
      try {
        const appended = await store.append(stream, events, expected);
        tell(telemetry, began, stream, events, appended.ok ? 'appended' : 'stale');
        return appended satisfies Appended;
      } catch (error) {
        tell(telemetry, began, stream, events, 'failed');
        throw error;
      }
    },
  };
}

function tell(
  telemetry: Telemetry,
  began: number,
  stream: StreamName,
  events: readonly NewEvent[],
  outcome: 'appended' | 'stale' | 'failed',
): void {
  const category = categoryOf(stream);
  const noun = category.slice(0, category.lastIndexOf('.'));
  telemetry.time('tender_append_seconds', telemetry.ticks() - began, { noun, outcome });
  telemetry.span({
    name: `append ${noun}`,
    kind: 'client',
    correlation_id: events[0]?.metadata.correlation_id ?? null,
    began,
    failed: outcome === 'failed',
    attributes: {
      'tender.category': category,
      'tender.events': events.map(({ type }) => type).join(' '),
      'tender.outcome': outcome,
    },
  });
}

/** `payments.payment-details@1:test`: the name and the mode of the follower. */
function measuredFollower(
  store: EventStore,
  following: Following,
  options: FollowOptions,
): Follower {
  const colon = options.name.lastIndexOf(':');
  const name = colon < 0 ? options.name : options.name.slice(0, colon);
  const mode = (colon < 0 ? 'all' : options.name.slice(colon + 1)) as StreamMode;
  following.caughtUp(name, mode, 0);
  const follower = store.follow({
    ...options,
    onEvents: (events) =>
      following.handle(
        name,
        mode,
        events.map(({ metadata }) => metadata),
        () => options.onEvents(events),
      ),
    onProgress(position, wall_ms) {
      following.caughtUp(name, mode, wall_ms);
      return options.onProgress?.(position, wall_ms);
    },
  });
  return {
    idle: () => follower.idle(),
    reached: (position, timeout_ms) => follower.reached(position, timeout_ms),
    async stop() {
      await follower.stop();
      following.ended(name, mode);
    },
  };
}
