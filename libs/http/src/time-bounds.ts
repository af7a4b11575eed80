import type { DatedListQuery } from '@tender/contracts';
import { isoTime, timeOf } from '@tender/kernel';

const DAY_CHARACTERS = '2026-05-31'.length;
/** No row has a later time, and times of a year of five digits do not compare as texts. */
const LAST_MS = timeOf('9999-12-31T23:59:59.999Z');

/** The bounds of a list as its rows have times (`isoTime`), both included; a day alone is all of that day, UTC. */
export const timeBounds = ({
  start_date,
  end_date,
}: Pick<DatedListQuery, 'start_date' | 'end_date'>): {
  readonly start_date: string | null;
  readonly end_date: string | null;
} => ({
  start_date: bound(start_date, '00:00:00.000'),
  end_date: bound(end_date, '23:59:59.999'),
});

function bound(time: string | undefined, of_day: string): string | null {
  if (time == null) return null;
  const ms = timeOf(time.length === DAY_CHARACTERS ? `${time}T${of_day}Z` : time);
  return isoTime(Math.min(ms, LAST_MS));
}
