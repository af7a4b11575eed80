import { createRequire } from 'node:module';

interface RequestQueue {
  scheduleCheckPendingRequests(): void;
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
}

let spared = false;

/**
 * kafkajs 2.2.4 sets a timer after each answer, also when no request waits: with a negative time then, of
 * which Node 24 warns (kafkajs issue 1751). Without anything pending there is nothing to come back for.
 */
export function sparePointlessTimers(): void {
  if (spared) return;
  spared = true;
  const load = createRequire(__filename);
  const { prototype } = load('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
