import { arrayLiteral } from './array-literal';
import type { Statement } from './ask';

/** Names of the texts that were seen, the same on every connection. */
const names = new Map<string, string>();
const NAMES_MAX = 1_000;

/**
 * A statement that each connection parses once; without values it goes as it is. Texts are constants of the
 * program, so they are few.
 */
export function preparedStatement(text: string, values: readonly unknown[] | undefined): Statement {
  if (values === undefined) return { text };
  const parameters = values.map((value) => (isPlainArray(value) ? arrayLiteral(value) : value));
  const name = names.get(text) ?? nameOf(text);
  return name === null ? { text, values: parameters } : { name, text, values: parameters };
}

/** Null for texts beyond the bound: they are parsed each time. */
function nameOf(text: string): string | null {
  if (names.size >= NAMES_MAX) return null;
  const name = `tender_${names.size + 1}`;
  names.set(text, name);
  return name;
}

const isPlainArray = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((element) => element === null || typeof element !== 'object');
