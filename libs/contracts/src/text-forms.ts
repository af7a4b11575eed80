const ZONED =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** ISO 8601 with its zone, of a day that there is. */
export function isZonedTime(value: unknown): boolean {
  const parts = typeof value === 'string' ? ZONED.exec(value) : null;
  if (!parts) return false;
  const [year, month, day] = parts.slice(1, 4).map(Number) as [number, number, number];
  const is_leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && is_leap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}
