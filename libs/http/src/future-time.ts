import { isoTime, timeOf } from '@tender/kernel';
import { invalidParameter } from './api-error';

const TEN_YEARS_MS = 3653 * 24 * 60 * 60 * 1000;

/** As `isoTime` writes it, so that times compare as texts; null where there is none. Throws 400. */
export function futureTime(field: string, time: string | undefined, now_ms: number): string | null {
  if (time == null) return null;
  const ms = timeOf(time);
  if (ms > now_ms && ms <= now_ms + TEN_YEARS_MS) return isoTime(ms);
  throw invalidParameter({ field, message: 'must lie ahead, within ten years' });
}
