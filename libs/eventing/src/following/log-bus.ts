import { invariant, type Clock } from '@tender/kernel';
import type { Bus, Consumer, Subscription } from '../ports/bus';
import type { Delays } from '../ports/delays';
import { soonestOf } from '../clock/stage';
import { type Category, type Position, type StoredEvent, type StreamMode } from '../events/event';
import type { EventStore } from '../ports/event-store';
import type { Log } from '../ports/log';
import type { ConsumerRecords, Located } from '../parking/parking';
import { isLookDue } from './look-times';
import { ParkingConsumer } from '../parking/parking-consumer';
import { publisherOf, type Publisher, type Publishing } from '../publishing/publish';
import { ReturningFollower } from './returning-follower';

export interface LogBusOptions {
  readonly eventStore: EventStore;
  readonly contexts: readonly Publishing[];
  readonly clock: Clock;
  readonly log: Log;
  readonly delays: Delays;
  readonly recordsOf: (consumer: string, mode: StreamMode) => ConsumerRecords;
  /** Wait before a parked message is tried again, by its tries so far; for tests. */
  readonly retry_delay_ms?: (tries: number) => number;
}

const BATCH_MAX = 500;
/** Under load only; half of the 50 ms that a webhook may take to be on its way. */
const PACE_MS = 25;

/** The bus of one process: every consumer follows the log itself, once per mode (P2, P3). */
export function logBus(options: LogBusOptions): Bus & { close(): Promise<void> } {
  const publisher = publisherOf(options.contexts);
  const consumers = new Map<string, Consumer>();

  return { consume, close };

  async function consume(subscription: Subscription): Promise<Consumer> {
    const { consumer } = subscription;
    invariant(!consumers.has(consumer), `one subscription per consumer (${consumer})`);
    const running: { follower: ReturningFollower; parking: ParkingConsumer }[] = [];
    const handle: Consumer = {
      async idle() {
        await Promise.all(running.map(({ follower }) => follower.idle()));
      },
      nextTry: async () =>
        soonestOf(await Promise.all(running.map(({ parking }) => parking.nextTry()))),
      async stop() {
        consumers.delete(consumer);
        await Promise.all(running.map(({ follower }) => follower.stop()));
        await Promise.all(running.map(({ parking }) => parking.close()));
      },
    };
    consumers.set(consumer, handle);
    for (const [mode, categories] of speakersOf(options.contexts, subscription.types)) {
      running.push(await followMode(options, publisher, subscription, mode, categories));
    }
    return handle;
  }

  async function close(): Promise<void> {
    await Promise.all([...consumers.values()].map((consumer) => consumer.stop()));
  }
}

/** Categories, by mode, of the contexts that can say one of these types. */
function speakersOf(
  contexts: readonly Publishing[],
  types: readonly string[],
): ReadonlyMap<StreamMode, readonly Category[]> {
  const speaking = contexts.filter(({ name }) => types.some((type) => type.startsWith(`${name}.`)));
  const byMode = new Map<StreamMode, Category[]>();
  for (const category of speaking.flatMap(({ publishes }) => publishes.categories)) {
    const mode = category.slice(category.lastIndexOf('.') + 1) as StreamMode;
    byMode.set(mode, [...(byMode.get(mode) ?? []), category]);
  }
  return byMode;
}

async function followMode(
  options: LogBusOptions,
  publisher: Publisher,
  subscription: Subscription,
  mode: StreamMode,
  categories: readonly Category[],
): Promise<{ follower: ReturningFollower; parking: ParkingConsumer }> {
  const { eventStore, clock, log, delays, retry_delay_ms } = options;
  const name = `${subscription.consumer}:${mode}`;
  const records = options.recordsOf(subscription.consumer, mode);
  const parking = new ParkingConsumer({
    name,
    handler: subscription.handler,
    records,
    isBefore: (position, other) => eventStore.isBefore(position, other),
    clock,
    log,
    delays,
    ...(retry_delay_ms ? { retry_delay_ms } : {}),
  });
  const types = new Set(subscription.types);
  let saved: Position | null = null;
  let looked_ms = clock.wall();

  const follower = new ReturningFollower({
    ...{ eventStore, log },
    async open() {
      saved = await parking.open();
      subscription.onTakeOver?.(mode);
      return saved;
    },
    follow: {
      ...{ name, categories, batch_max: BATCH_MAX, pace_ms: PACE_MS },
      async onEvents(events) {
        const messages = located(events);
        if (messages.length === 0) return;
        const until = (events.at(-1) as StoredEvent).position;
        await parking.handle(messages, until);
        saved = until;
        looked_ms = clock.wall();
      },
      onProgress(position, wall_ms) {
        records.noteProgress(position);
        const told = (): void => subscription.onProgress?.(mode, wall_ms);
        if (!isLookDue(looked_ms, clock.wall())) return told();
        looked_ms = clock.wall();
        return look(position).then(told);
      },
    },
  });
  await follower.start();
  return { follower, parking };

  async function look(position: Position): Promise<void> {
    // Only so that a restart is cheap: what lies between is of no concern to this consumer.
    if (position !== saved) await parking.handle([], position);
    // Where nothing happens, nothing else would show that the database was set back.
    else await parking.verify();
    saved = position;
  }

  function located(events: readonly StoredEvent[]): Located[] {
    return events.flatMap((event) => {
      const message = publisher(event);
      return message && types.has(message.type) ? [{ message, position: event.position }] : [];
    });
  }
}
