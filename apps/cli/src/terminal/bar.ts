import { duration, grouped } from './amounts';

export interface Amount {
  readonly events: number;
  /** Null where only reading the log shows it. */
  readonly events_total: number | null;
  readonly elapsed_ms: number;
}

const BAR_MAX = 30;
const BAR_MIN = 10;

export const eventsPerSecond = ({ events, elapsed_ms }: Amount): number =>
  elapsed_ms > 0 ? (events / elapsed_ms) * 1_000 : 0;

/** Null while nothing can be said. */
export function secondsLeft(amount: Amount): number | null {
  const per_second = eventsPerSecond(amount);
  if (amount.events_total === null || per_second === 0) return null;
  return Math.max(0, amount.events_total - amount.events) / per_second;
}

/** For a terminal: one line that is never wider than it. */
export function bar(name: string, amount: Amount, width: number): string {
  const { events, events_total } = amount;
  const left_s = secondsLeft(amount);
  const figures = [
    events_total === null ? grouped(events) : `${grouped(events)} of ${grouped(events_total)}`,
    `${grouped(eventsPerSecond(amount))}/s`,
    ...(left_s === null ? [] : [`${duration(left_s)} left`]),
  ].join('  ');
  const room = Math.min(BAR_MAX, width - 1 - name.length - figures.length - 6);
  const share = events_total ? Math.min(1, events / events_total) : null;
  if (share === null || room < BAR_MIN) return `${name}  ${figures}`.slice(0, width - 1);
  const full = Math.floor(share * room);
  return `${name}  [${'#'.repeat(full)}${'-'.repeat(room - full)}]  ${figures}`;
}

/** For a program. */
export function amountJson(amount: Amount): object {
  const left_s = secondsLeft(amount);
  return {
    events: amount.events,
    events_total: amount.events_total,
    elapsed_s: Math.round(amount.elapsed_ms / 100) / 10,
    events_per_second: Math.round(eventsPerSecond(amount)),
    seconds_left: left_s === null ? null : Math.round(left_s),
  };
}
