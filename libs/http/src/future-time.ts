import { isoTime, timeOf } from '@tender/kernel';
import { invalidParameter } from './api-error';

const TEN_YEARS_MS = 3653 * 24 * 60 * 60 * 1000;

/** A time that lies ahead, as `isoTime` writes it; null where there is none. Throws 400. */
export function futureTime(field: string, time: string | undefined, now_ms: number): string | null {
  if (time == null) return null;
  if (timeOf(time) > now_ms) return timeWithinTenYears(field, time, now_ms);
  throw invalidParameter({ field, message: 'must lie ahead, within ten years' });
}

/**
 * A time of before, or that lies no further ahead than ten years, as `isoTime` writes it: so times compare as texts,
 * which those of a year of five digits do not. Throws 400.
 */
export function timeWithinTenYears(field: string, time: string, now_ms: number): string {
  const ms = timeOf(time);
  if (ms <= now_ms + TEN_YEARS_MS) return isoTime(ms);
  throw invalidParameter({ field, message: 'must lie within ten years' });
}
