import { amountJson, bar, type Amount } from '../terminal/bar';
import { sayJson } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';

export type Step = 'copying' | 'comparing';

const JSON_EVERY_MS = 1_000;

/** Draws at a terminal; elsewhere says a line when a step begins, and once a second at most. */
export function stepProgress(
  terminal: Terminal,
  totals: Readonly<Record<Step, number>>,
): (step: Step, events: number) => void {
  let current: Step | null = null;
  let began_ms = 0;
  let said_ms = 0;
  return (step, events) => {
    const now_ms = terminal.now();
    const begins = step !== current;
    if (begins) began_ms = now_ms;
    current = step;
    const elapsed_ms = now_ms - began_ms;
    const amount: Amount = { events, events_total: totals[step], elapsed_ms };
    if (terminal.is_terminal) return terminal.draw(bar(step, amount, terminal.width));
    if (!begins && now_ms - said_ms < JSON_EVERY_MS) return;
    said_ms = now_ms;
    sayJson(terminal, { line: 'progress', step, ...amountJson(amount) });
  };
}
