import type { Terminal } from './terminal';

/** Rows under headings, as wide as they need to be. Where that is too wide, one line per field. */
export function table(
  { width }: Pick<Terminal, 'width'>,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const needed = widths.reduce((sum, one) => sum + one, 2 * (headings.length - 1));
  if (needed > width) return rows.flatMap((row, index) => record(headings, row, index > 0));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padEnd(widths[column] as number)).join('  ').trimEnd();
  return [line(headings), ...rows.map(line)];
}

function record(
  headings: readonly string[],
  row: readonly string[],
  apart: boolean,
): readonly string[] {
  const fields = headings.map((heading, column) => `${heading}: ${row[column] ?? ''}`);
  return apart ? ['', ...fields] : fields;
}
