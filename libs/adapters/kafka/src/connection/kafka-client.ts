import { createRequire } from 'node:module';
import { Kafka, type KafkaConfig } from 'kafkajs';

interface RequestQueue {
  scheduleCheckPendingRequests(): void;
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
}

let spared = false;

/** The one way to make a client, for the program and its tests; a baseline measures kafkajs as it comes. */
export function kafkaClient(config: KafkaConfig): Kafka {
  sparePointlessTimers();
  return new Kafka(config);
}

/**
 * kafkajs 2.2.4 sets a timer after each answer, also when no request waits: with a negative time then, of
 * which Node 24 warns (kafkajs issue 1751). Without anything pending there is nothing to come back for.
 */
function sparePointlessTimers(): void {
  if (spared) return;
  spared = true;
  const load = createRequire(__filename);
  const { prototype } = load('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
