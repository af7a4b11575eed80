import { amountJson, bar, type Amount } from '../terminal/bar';
import { sayJson } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';

export interface Progress extends Amount {
  readonly projection: string;
  readonly generation: number;
  readonly phase: 'loading' | 'indexing' | 'catching up' | 'comparing' | 'swapping';
}

/** For a terminal: one line that is never wider than it. */
export function progressBar(progress: Progress, width: number): string {
  const { projection, generation, phase } = progress;
  const name = `${projection} generation ${generation}`;
  if (phase !== 'loading') return `${name}: ${phase}`.slice(0, width - 1);
  return bar(name, progress, width);
}

/** For a program. */
export function progressFacts(progress: Progress) {
  const { projection, generation, phase } = progress;
  return { line: 'progress', projection, generation, phase, ...amountJson(progress) } as const;
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
    sayJson(terminal, progressFacts(progress));
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
