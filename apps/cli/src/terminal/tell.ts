import type { Terminal } from './terminal';

/** What a line for a program tells of; docs/operations.md says which fields each has. */
export interface Facts {
  readonly line:
    | 'system'
    | 'progress'
    | 'projection'
    | 'parked_count'
    | 'parked'
    | 'parked_done'
    | 'replay'
    | 'replay_plan'
    | 'comparison'
    | 'erased'
    | 'audit'
    | 'invariant'
    | 'violation'
    | 'chain_restart'
    | 'migration'
    | 'migration_plan'
    | 'listen';
}

/** English for a person; for a program the facts as JSON in one line, with the last sentence as `next`. */
export function tell<Told extends Facts>(
  terminal: Terminal,
  facts: Told,
  sentences: readonly string[],
): void {
  if (!terminal.is_terminal) return sayJson(terminal, { ...facts, next: sentences.at(-1) });
  for (const sentence of sentences) terminal.say(sentence);
}

/** For a program; `line` comes first, and `next` is left out where nothing follows. */
export const sayJson = <Told extends Facts>(
  terminal: Pick<Terminal, 'say'>,
  facts: Told,
): void => terminal.say(JSON.stringify(facts));
