import {
  logBus,
  type Bus,
  type EventStore,
  type Log,
  type Publishing,
  type ReadModels,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { consumerRecords } from './consumer-records';
import { realDelays } from '../connections/real-delays';

export interface EmbeddedBusOptions {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  /** What each context makes public. */
  readonly contexts: readonly Publishing[];
  readonly clock: Clock;
  readonly log: Log;
  /** Wait before a parked message is tried again, by its tries so far; for tests. */
  readonly retry_delay_ms?: (tries: number) => number;
}

/** The bus of the embedded run: checkpoints and parked messages lie in the schema of the consumer's context. */
export function embeddedBus(options: EmbeddedBusOptions): Bus & { close(): Promise<void> } {
  const { eventStore, contexts, clock, log, retry_delay_ms, readModels } = options;
  return logBus({
    eventStore,
    contexts,
    clock,
    log,
    delays: realDelays,
    ...(retry_delay_ms ? { retry_delay_ms } : {}),
    recordsOf: consumerRecords(readModels, contexts),
  });
}
