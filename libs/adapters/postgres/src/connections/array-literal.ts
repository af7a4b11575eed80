/** Characters that JSON writes as escapes which an array literal would read otherwise. */
const OTHER_ESCAPES = /[\u0000-\u001f\ud800-\udfff]/;

/**
 * An array as Postgres reads it from text. Quotes and backslashes are written as JSON writes them, which
 * costs a fraction of the driver's own way where elements are long.
 */
export function arrayLiteral(elements: readonly unknown[]): string {
  return `{${elements.map(elementOf).join(',')}}`;
}

function elementOf(element: unknown): string {
  if (element === null || element === undefined) return 'NULL';
  const text = String(element);
  if (!OTHER_ESCAPES.test(text)) return JSON.stringify(text);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
