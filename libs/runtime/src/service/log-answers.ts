import { realDelays } from '@tender/adapter-postgres';
import { inTime, type EventStore } from '@tender/eventing';

/** Milliseconds; a probe of readiness waits a little longer. */
const PATIENCE_MS = 2_000;

/** Whether the log answers in time. Without it nothing is written: writes are 503. */
export async function logAnswers(
  log: Pick<EventStore, 'newest'>,
  patience_ms = PATIENCE_MS,
): Promise<boolean> {
  const answer = log.newest().then(
    () => true,
    () => false,
  );
  return inTime(realDelays, answer, patience_ms, () => false);
}
