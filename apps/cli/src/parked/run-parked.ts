import { userInfo } from 'node:os';
import type { ParkedAction } from '../arguments';
import { CommandFault } from '../faults';
import { CONTEXTS, type System } from '../system';
import { grouped } from '../terminal/amounts';
import { table } from '../terminal/table';
import { sayJson, tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { dropParked, retryConsumer, retryParked } from './act-on-parked';
import { listParked, parkedId, readParked } from './read-parked';

/** `tender ops parked …` */
export async function runParked(
  system: System,
  terminal: Terminal,
  command: ParkedAction,
): Promise<void> {
  switch (command.action) {
    case 'list':
      return list(system, terminal);
    case 'show':
      return show(system, terminal, command.id);
    case 'retry':
      await retryParked(system.readModels, parkedId(command.id));
      return tell(terminal, { line: 'parked_done', action: 'retry', id: command.id, messages: 1 }, [
        `${command.id} is tried again within half a minute. ${LOOK}`,
      ]);
    case 'retry-all': {
      const { consumer } = command;
      const due = await retryConsumer(system.readModels, schemaOf(consumer), consumer);
      if (due === 0) throw new CommandFault(`Nothing of ${consumer} waits for an operator. ${LOOK}`);
      return tell(terminal, { line: 'parked_done', action: 'retry-all', consumer, messages: due }, [
        `${messages(due)} tried again within half a minute. ${LOOK}`,
      ]);
    }
    case 'drop': {
      const who = { reason: command.reason, dropped_by: userInfo().username };
      await dropParked(system.readModels, parkedId(command.id), who);
      return tell(terminal, { line: 'parked_done', action: 'drop', id: command.id, messages: 1 }, [
        `${command.id} is dropped; what waits behind it goes on. ${LOOK}`,
      ]);
    }
  }
}

const LOOK = 'Look with "tender ops parked".';
const messages = (count: number): string =>
  count === 1 ? '1 message is' : `${grouped(count)} messages are`;

function schemaOf(consumer: string): string {
  const context = CONTEXTS.find(({ name }) => consumer.startsWith(`${name}.`));
  if (context) return context.schema;
  const names = CONTEXTS.map(({ name }) => name).join(', ');
  throw new CommandFault(
    `A consumer is named <context>.<what it does>; "${consumer}" begins with none of ${names}.`,
  );
}

async function list(system: System, terminal: Terminal): Promise<void> {
  const parked = await listParked(system);
  if (!terminal.is_terminal) {
    for (const one of parked) sayJson(terminal, { line: 'parked', ...one });
    return;
  }
  if (parked.length === 0) return terminal.say('No message waits for an operator.');
  const rows = parked.map(({ id, consumer, mode, type, key, tries, behind }) => [
    ...[id, consumer, mode, type, key, String(tries), String(behind)],
  ]);
  const headings = ['id', 'consumer', 'mode', 'type', 'key', 'tries', 'behind it'];
  for (const line of table(terminal, headings, rows)) terminal.say(line);
  terminal.say('');
  terminal.say('Next: "tender ops parked show <id>", then retry or drop it.');
}

async function show(system: System, terminal: Terminal, text: string): Promise<void> {
  const found = await readParked(system.readModels, parkedId(text));
  if (!terminal.is_terminal) return sayJson(terminal, { line: 'parked', ...found });
  const { message, ...parked } = found;
  const { id, consumer, mode, key, position, tries, error, parked_at, behind } = parked;
  const shown = { id, consumer, mode, key, position, tries, parked_at, behind, error };
  for (const [name, value] of Object.entries(shown)) terminal.say(`${name}: ${value ?? '-'}`);
  terminal.say(`message: ${JSON.stringify(message, null, 2)}`);
}
