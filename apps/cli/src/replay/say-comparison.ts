import { isSame, type Comparison } from '@tender/adapter-postgres';
import { grouped } from '../terminal/amounts';
import { sayJson } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';

/** What the new table has in common with the live one: keys and names of columns, no value. */
export function sayComparison(terminal: Terminal, projection: string, compared: Comparison): void {
  if (!terminal.is_terminal) {
    return sayJson(terminal, { line: 'comparison', projection, same: isSame(compared), ...compared });
  }
  for (const sentence of described(projection, compared)) terminal.say(sentence);
}

export function described(projection: string, compared: Comparison): readonly string[] {
  const { live_table, other_table, rows_live, rows_other } = compared;
  if (isSame(compared)) {
    return [`${projection}: ${other_table} has the ${rows(rows_live)} of ${live_table}, at ${place(compared)}.`];
  }
  const { only_live, only_other, different, columns, first } = compared;
  const by_column = Object.entries(columns).map(([column, count]) => `${column} ${grouped(count)}`);
  const differing = first.different.map((row) => `${row.key} (${row.columns.join(', ')})`);
  return [
    `${projection}: ${other_table} is not as ${live_table}, at ${place(compared)}.`,
    `  rows: ${grouped(rows_live)} in ${live_table}, ${grouped(rows_other)} in ${other_table}`,
    ...kind(`only in ${live_table}`, only_live, first.only_live),
    ...kind(`only in ${other_table}`, only_other, first.only_other),
    ...kind('differ', different, differing),
    ...(by_column.length > 0 ? [`  differ by column: ${by_column.join(', ')}`] : []),
  ];
}

const rows = (count: number): string => (count === 1 ? 'one row' : `${grouped(count)} rows`);

function kind(what: string, count: number, first: readonly string[]): readonly string[] {
  if (count === 0) return [];
  const more = count > first.length ? ', …' : '';
  return [`  ${what}: ${grouped(count)}: ${first.join(', ')}${more}`];
}

/** Both have heard the same events, unless the tables were set back meanwhile. */
function place({ positions }: Comparison): string {
  const places = Object.entries(positions).map(([mode, { live, other }]) =>
    live === other
      ? `${mode} ${live ?? 'the beginning'}`
      : `${mode} ${live ?? 'the beginning'} and the new one at ${other ?? 'the beginning'}`,
  );
  return `position ${places.join(', ')} of the log`;
}
