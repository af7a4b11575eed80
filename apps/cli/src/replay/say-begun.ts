import type { BegunGeneration } from '@tender/adapter-postgres';
import { sayJson } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';

/** What an earlier replay has left, and whether this one goes on with it; nothing where there was nothing. */
export function sayBegun(
  terminal: Terminal,
  projection: string,
  { generation, begun_at, replaced }: BegunGeneration,
): void {
  const facts = { line: 'replay', projection, generation } as const;
  if (begun_at !== null) {
    if (!terminal.is_terminal) return sayJson(terminal, { ...facts, phase: 'goes_on', begun_at });
    terminal.say(`${projection}: goes on with g${generation}, begun ${begun_at}.`);
  }
  if (replaced !== null) {
    if (!terminal.is_terminal) return sayJson(terminal, { ...facts, phase: 'begun_anew', replaced });
    terminal.say(
      `${projection}: g${replaced} was begun by another release: begun anew as g${generation}, g${replaced} is dropped.`,
    );
  }
}
