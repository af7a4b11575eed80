import type { Terminal } from './terminal';

/** English for a person; for a program one JSON document with the facts, and the last sentence as `next`. */
export function tell(terminal: Terminal, facts: object, sentences: readonly string[]): void {
  const next = sentences.at(-1);
  if (!terminal.is_terminal) return terminal.say(JSON.stringify({ ...facts, next }));
  for (const sentence of sentences) terminal.say(sentence);
}
