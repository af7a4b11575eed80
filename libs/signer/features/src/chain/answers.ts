/** Reads what a node has answered. Whatever is not there throws: what is missing is unknown, never a zero. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Error(`the answer has no ${what}`);
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`the answer has no list of ${what}`);
}

/** A count or an amount that JSON held exactly. */
export function countOf(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`the answer has no ${what}`);
}

export function textOf(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`the answer has no ${what}`);
}
