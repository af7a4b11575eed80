import type { System } from '../system';
import { grouped } from '../terminal/amounts';
import { table } from '../terminal/table';
import { sayJson } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { holdAll, type Broken } from './hold-all';

/** A person reads no more; a program gets all. */
const SHOWN_MAX = 100;

/** `tender ops invariants`: answers the exit code, 1 when something is broken or could not be checked. */
export async function runInvariants(system: System, terminal: Terminal): Promise<number> {
  const shown: Broken[] = [];
  let broken = 0;
  const held = await holdAll(system, (one) => {
    broken += 1;
    if (!terminal.is_terminal) sayJson(terminal, { line: 'violation', ...one });
    else if (shown.length < SHOWN_MAX) shown.push(one);
  });
  if (terminal.is_terminal) {
    const headings = ['context', 'invariant', 'mode', 'checked', 'broken'];
    const rows = held.map((one) => [
      ...[one.context, one.invariant, one.mode, grouped(one.checked), grouped(one.broken)],
    ]);
    for (const line of table(terminal, headings, rows)) terminal.say(line);
    terminal.say('');
    for (const { invariant, stream, says } of shown) {
      terminal.say(`${invariant} ${stream ?? 'could not be checked'}: ${says}`);
    }
    terminal.say(sentenceOf(broken));
  } else {
    for (const one of held) sayJson(terminal, { line: 'invariant', ...one });
  }
  return broken === 0 ? 0 : 1;
}

const sentenceOf = (broken: number): string =>
  broken === 0
    ? 'All that was looked at holds.'
    : `${grouped(broken)} ${broken === 1 ? 'fault' : 'faults'}. docs/operations.md says of each invariant what to do.`;
