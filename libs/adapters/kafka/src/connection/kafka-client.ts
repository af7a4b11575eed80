import { createRequire } from 'node:module';
import { Kafka, type KafkaConfig } from 'kafkajs';

interface Request {
  /** Wall time, ms. */
  readonly sentAt: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

interface RequestQueue {
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  isConnected(): boolean;
  readonly enforceRequestTimeout: boolean;
  readonly inflight: ReadonlyMap<number, Request>;
  readonly pending: readonly unknown[];
}

/** Between looks for requests that have waited too long, of all connections. */
const CHECK_MS = 1_000;

let spared = false;

/** The one way to make a client, for the program and its tests; a baseline measures kafkajs as it comes. */
export function kafkaClient(config: KafkaConfig): Kafka {
  if (!spared) {
    const load = createRequire(__filename);
    const { prototype } = load('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
    sparePointlessTimers(prototype);
    checkTogether(prototype);
  }
  spared = true;
  return new Kafka(config);
}

/**
 * kafkajs 2.2.4 sets a timer after each answer, also when no request waits: with a negative time then, of
 * which Node 24 warns (kafkajs issue 1751). Without anything pending there is nothing to come back for.
 */
function sparePointlessTimers(queues: RequestQueue): void {
  const schedule = queues.scheduleCheckPendingRequests;
  queues.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}

/**
 * kafkajs looks ten times a second, at each connection by itself, for requests that have waited too long: a service
 * with two dozen connections would never rest.
 */
function checkTogether(queues: RequestQueue): void {
  const connected = new Set<RequestQueue>();
  let checking: NodeJS.Timeout | null = null;

  queues.scheduleRequestTimeoutCheck = function (this: RequestQueue) {
    if (!this.enforceRequestTimeout) return;
    connected.add(this);
    checking ??= setInterval(check, CHECK_MS);
  };

  function check(): void {
    for (const queue of connected) {
      for (const request of queue.inflight.values()) {
        if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
      }
      if (!queue.isConnected()) connected.delete(queue);
    }
    if (connected.size > 0 || checking === null) return;
    clearInterval(checking);
    checking = null;
  }
}
