import type { Bus, PublicEvent } from '../ports/bus';
import type { StreamMode } from '../events/event';
import type { Following } from './following';
import { ParkedCounts } from '../parking/parked-counts';
import type { ReadModels } from '../ports/read-models';
import type { Publishing } from '../publishing/publish';
import type { Telemetry } from '../ports/telemetry';

export interface MeasuredBusParts {
  readonly bus: Bus;
  readonly readModels: ReadModels;
  readonly contexts: readonly Pick<Publishing, 'name' | 'schema'>[];
  readonly telemetry: Telemetry;
  readonly following: Following;
}

/** The same bus, whichever it is, with its consumers measured. */
export function measuredBus(parts: MeasuredBusParts): Bus {
  const { bus, readModels, contexts, telemetry, following } = parts;
  const parked = new ParkedCounts(readModels, contexts);
  telemetry.watch('tender_parked_messages', () => parked.read());
  return {
    async consume(subscription) {
      const { consumer, handler } = subscription;
      const modes = parked.add(consumer);
      const running = await bus.consume({
        ...subscription,
        async handler(batch, tx) {
          const mode = batch[0]?.mode ?? 'all';
          modes.add(mode);
          const began = telemetry.ticks();
          let failed = true;
          try {
            await following.handle(consumer, mode, batch, () => handler(batch, tx));
            failed = false;
          } finally {
            tell(telemetry, began, consumer, batch, failed);
          }
        },
        awaits(mode) {
          const times = [following.awaits(consumer, mode), subscription.awaits?.(mode) ?? null];
          const known = times.filter((time) => time !== null);
          return known.length > 0 ? Math.max(...known) : null;
        },
        onProgress(mode: StreamMode, wall_ms) {
          modes.add(mode);
          following.caughtUp(consumer, mode, wall_ms);
          subscription.onProgress?.(mode, wall_ms);
        },
      });
      return {
        idle: () => running.idle(),
        nextTry: () => running.nextTry(),
        async stop() {
          parked.remove(consumer);
          await running.stop();
          for (const mode of modes) following.ended(consumer, mode);
        },
      };
    },
  };
}

/** Each event in the trace of its own request, though they were handled together. */
function tell(
  telemetry: Telemetry,
  began: number,
  consumer: string,
  batch: readonly PublicEvent[],
  failed: boolean,
): void {
  for (const { type, mode, correlation_id } of batch) {
    telemetry.span({
      name: `react ${consumer}`,
      kind: 'consumer',
      correlation_id,
      began,
      failed,
      attributes: { 'tender.event': type, 'tender.mode': mode, 'tender.batch': batch.length },
    });
  }
}
