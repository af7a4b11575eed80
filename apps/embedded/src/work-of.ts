import { COMPOSITION } from '@tender/composition';
import { programStage, realDelays, Work, type BusTransport, type EmbeddedRuntime, type WorkParts } from '@tender/runtime';

/** What follows the log and works, and whether it is at rest. Nothing is started. */
export function workOf(
  runtime: EmbeddedRuntime,
  opened: WorkParts['opened'],
  transport: BusTransport,
) {
  const work = new Work({ runtime, contexts: Object.values(COMPOSITION), opened, transport });
  const stage = programStage({
    ...{ work: work.stage, clock: runtime.clock, log: runtime.eventStore, delays: realDelays },
    nextTry: () => transport.nextTry(),
  });
  return { work, stage };
}
