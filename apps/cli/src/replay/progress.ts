import { duration, grouped } from '../terminal/amounts';
import type { Terminal } from '../terminal/terminal';

export interface Progress {
  readonly projection: string;
  readonly generation: number;
  readonly phase: 'loading' | 'indexing' | 'catching up' | 'swapping';
  readonly events: number;
  /** Null where only reading tells. */
  readonly events_total: number | null;
  readonly elapsed_ms: number;
}

const BAR_MAX = 30;
const BAR_MIN = 10;

export const eventsPerSecond = ({ events, elapsed_ms }: Progress): number =>
  elapsed_ms > 0 ? (events / elapsed_ms) * 1_000 : 0;

/** Null while nothing can be said. */
export function secondsLeft(progress: Progress): number | null {
  const per_second = eventsPerSecond(progress);
  if (progress.events_total === null || per_second === 0) return null;
  return Math.max(0, progress.events_total - progress.events) / per_second;
}

/** For a terminal: one line that is never wider than it. */
export function progressBar(progress: Progress, width: number): string {
  const { projection, generation, phase, events, events_total } = progress;
  const name = `${projection} generation ${generation}`;
  if (phase !== 'loading') return `${name}: ${phase}`.slice(0, width - 1);
  const left_s = secondsLeft(progress);
  const figures = [
    events_total === null ? grouped(events) : `${grouped(events)} of ${grouped(events_total)}`,
    `${grouped(eventsPerSecond(progress))}/s`,
    ...(left_s === null ? [] : [`${duration(left_s)} left`]),
  ].join('  ');
  const room = Math.min(BAR_MAX, width - 1 - name.length - figures.length - 6);
  const share = events_total ? Math.min(1, events / events_total) : null;
  if (share === null || room < BAR_MIN) return `${name}  ${figures}`.slice(0, width - 1);
  const full = Math.floor(share * room);
  return `${name}  [${'#'.repeat(full)}${'-'.repeat(room - full)}]  ${figures}`;
}

/** For a program: one JSON document in a line. */
export function progressJson(progress: Progress): string {
  const { elapsed_ms, ...told } = progress;
  const left_s = secondsLeft(progress);
  return JSON.stringify({
    ...told,
    elapsed_s: Math.round(elapsed_ms / 100) / 10,
    events_per_second: Math.round(eventsPerSecond(progress)),
    seconds_left: left_s === null ? null : Math.round(left_s),
  });
}

const JSON_EVERY_MS = 1_000;

export interface ProgressReport {
  phase(phase: Progress['phase']): void;
  loaded(events: number): void;
}

/** Draws at a terminal; elsewhere says a line at each phase, and once a second at most. */
export function reportProgress(
  terminal: Terminal,
  about: Pick<Progress, 'projection' | 'generation' | 'events_total'>,
): ProgressReport {
  const began_ms = terminal.now();
  let said_ms = -Infinity;
  let phase: Progress['phase'] = 'loading';
  let events = 0;
  const tell = (at_once: boolean): void => {
    const now_ms = terminal.now();
    const progress = { ...about, phase, events, elapsed_ms: now_ms - began_ms };
    if (terminal.is_terminal) return terminal.draw(progressBar(progress, terminal.width));
    if (!at_once && now_ms - said_ms < JSON_EVERY_MS) return;
    said_ms = now_ms;
    terminal.say(progressJson(progress));
  };
  tell(true);
  return {
    phase(next) {
      phase = next;
      tell(true);
    },
    loaded(more) {
      events += more;
      tell(false);
    },
  };
}
