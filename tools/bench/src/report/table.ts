import type { Entry } from './entry';
import { rounded } from './result';

/** The result for the eye: one line per goal, and per ratio of an entry that has none. */
export function table(entries: readonly Entry[]): string {
  const head = ['scenario', 'goal', 'figure', 'value', 'floor', 'stretch', 'min…max', 'verdict'];
  const rows = [head, ...entries.flatMap(rowsOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd())
    .join('\n');
}

function rowsOf(entry: Entry): string[][] {
  const telling = Object.entries(entry.params).filter(isTelling);
  const name = [entry.name, ...telling.map((pair) => pair.join('='))].join(' ');
  const { min, max } = entry.ratio;
  const spread = min === undefined || max === undefined ? '' : `${rounded(min)}…${rounded(max)}`;
  if (entry.goals.length === 0) {
    const verdict = entry.faults.length > 0 ? 'INVALID' : '-';
    const shown = Object.entries(entry.ratio).filter(([metric]) => !SPREAD.has(metric));
    if (shown.length === 0) return [[name, '-', '', '', '', '', '', verdict]];
    return shown.map(([metric, value], index) => [
      index === 0 ? name : '',
      ...['-', `ratio.${metric}`, String(rounded(value)), '', ''],
      index === 0 ? spread : '',
      verdict,
    ]);
  }
  return entry.goals.map((goal, index) => [
    index === 0 ? name : '',
    goal.id,
    goal.metric,
    String(rounded(goal.value)),
    `${goal.op} ${goal.must}`,
    `${goal.op} ${goal.stretch}`,
    index === 0 ? spread : '',
    entry.faults.length > 0 ? 'INVALID' : goal.verdict === 'miss' ? 'MISS' : goal.verdict,
  ]);
}

const SPREAD = new Set(['min', 'max']);
const HOUSEKEEPING = new Set(['sec', 'rounds', 'pool']);
const isTelling = ([key]: [string, unknown]): boolean => !HOUSEKEEPING.has(key);

/** Every missed floor and every fault in a sentence of its own. */
export function complaints(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => {
    const where = `${entry.name} ${JSON.stringify(entry.params)}`;
    return [
      ...entry.faults.map((fault) => `FAULT  ${where}: ${fault}`),
      ...entry.goals
        .filter(({ verdict }) => verdict === 'miss')
        .map(({ id, metric, op, must, value }) => {
          return `MISSED ${where}: goal ${id} asks ${metric} ${op} ${must}; it is ${rounded(value)}`;
        }),
    ];
  });
}
