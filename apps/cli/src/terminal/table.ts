import type { Terminal } from './terminal';

/**
 * Rows under headings, as wide as they need to be. Where that is too wide, one line per field. `paint` may add
 * what takes no room to a cell.
 */
export function table(
  { width }: Pick<Terminal, 'width'>,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  paint: (cell: string, heading: string) => string = (cell) => cell,
): readonly string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const needed = widths.reduce((sum, one) => sum + one, 2 * (headings.length - 1));
  if (needed > width) {
    return rows.flatMap((row, index) => record(headings, row.map(painted), index > 0));
  }
  const gap = (cell: string, column: number): string =>
    ' '.repeat((widths[column] as number) - cell.length);
  const line = (cells: readonly string[], shown = cells): string =>
    cells.map((cell, column) => `${shown[column]}${gap(cell, column)}`).join('  ').trimEnd();
  return [line(headings), ...rows.map((row) => line(row, row.map(painted)))];

  function painted(cell: string, column: number): string {
    return paint(cell, headings[column] as string);
  }
}

function record(
  headings: readonly string[],
  row: readonly string[],
  apart: boolean,
): readonly string[] {
  const fields = headings.map((heading, column) => `${heading}: ${row[column] ?? ''}`);
  return apart ? ['', ...fields] : fields;
}
