import { countParked, type Lag, type ParkedCount } from '@tender/eventing';
import { CONTEXTS, PROJECTIONS, type System } from '../system';
import { duration, grouped } from '../terminal/amounts';
import { painted } from '../terminal/colours';
import { table } from '../terminal/table';
import { sayJson } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { readProjections, type ProjectionLine } from './read-projections';

/** `tender ops projections` */
export async function showProjections(system: System, terminal: Terminal): Promise<void> {
  const projections = await readProjections(system, PROJECTIONS);
  const { readModels } = system;
  const counts = CONTEXTS.map(({ schema }) => countParked(readModels, schema));
  const parked = (await Promise.all(counts)).flat();
  if (terminal.is_terminal) {
    for (const line of render(terminal, projections, parked)) terminal.say(line);
    return;
  }
  for (const one of projections) sayJson(terminal, { line: 'projection', ...one });
  for (const one of parked) sayJson(terminal, { line: 'parked_count', ...one });
}

export function render(
  terminal: Pick<Terminal, 'width' | 'colours'>,
  projections: readonly ProjectionLine[],
  parked: readonly ParkedCount[],
): readonly string[] {
  const paint = (cell: string, heading: string): string =>
    heading === 'state' ? painted(terminal, cell) : cell;
  const rows = projections.map(({ projection, mode, state, generation, position, lag }) => [
    ...[projection, mode, state, `g${generation}`, position ?? '-'],
    ...[lagEvents(lag), lag.events === 0 ? '-' : duration(lag.seconds)],
  ]);
  const headings = ['projection', 'mode', 'state', 'table', 'position', 'behind', 'oldest'];
  const waiting = parked.map(({ consumer, mode, messages, for_operator }) => [
    ...[consumer, mode, grouped(messages), grouped(for_operator)],
  ]);
  return [
    ...table(terminal, headings, rows, paint),
    '',
    ...(parked.length === 0
      ? ['No message is parked.']
      : [
          ...table(terminal, ['consumer', 'mode', 'parked', 'for an operator'], waiting),
          'Look at them with "tender ops parked".',
        ]),
  ];
}

const lagEvents = ({ events, capped }: Lag): string =>
  grouped(events) + (capped ? '+' : '');
