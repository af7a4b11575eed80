import { parameterOf, textArraysOf, type TextArrays } from './array-parameter';
import type { Statement } from './ask';

/** What is known of a text that was seen: its name is the same on every connection. */
interface Known {
  /** Null for texts beyond the bound: they are parsed each time. */
  readonly name: string | null;
  readonly arrays: TextArrays;
}
const known = new Map<string, Known>();
const KNOWN_MAX = 1_000;

/**
 * A statement that each connection parses once; without values it goes as it is. Texts are constants of the
 * program, so they are few.
 */
export function preparedStatement(text: string, values: readonly unknown[] | undefined): Statement {
  if (values === undefined) return { text };
  const { name, arrays } = known.get(text) ?? learn(text);
  const parameters = values.map((value, index) => parameterOf(value, arrays.get(index)));
  return name === null ? { text, values: parameters } : { name, text, values: parameters };
}

function learn(text: string): Known {
  const arrays = textArraysOf(text);
  if (known.size >= KNOWN_MAX) return { name: null, arrays };
  const learnt: Known = { name: `tender_${known.size + 1}`, arrays };
  known.set(text, learnt);
  return learnt;
}
