const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * Reads JSON that a store has kept. V8's own parser (in Node 24 and 26) takes the key `size"` for `size\` once
 * it has seen an object with that key: it compares escapes with what they are not. So keys that need an
 * escape are read under names of their own and get theirs back afterwards; all others are left to V8.
 */
export function storedJson(text: string): unknown {
  if (!text.includes('\\')) return JSON.parse(text);
  const mark = markFor(text);
  const keys: string[] = [];
  const marked = text.replaceAll(TOKEN, (token, colon: string | undefined) => {
    if (colon === undefined || !token.includes('\\')) return token;
    keys.push(JSON.parse(token.slice(0, -colon.length)) as string);
    return `"${mark}${keys.length - 1}"${colon}`;
  });
  const value = JSON.parse(marked) as unknown;
  return keys.length === 0 ? value : withKeys(value, mark, keys);
}

/** A beginning that no key of the text has. */
function markFor(text: string): string {
  let mark = '\ue000';
  while (text.includes(mark)) mark += '\ue000';
  return mark;
}

/** The same value with its own keys, in their own order. */
function withKeys(value: unknown, mark: string, keys: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => withKeys(element, mark, keys));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const key = name.startsWith(mark) ? keys[Number(name.slice(mark.length))] : name;
      return [key, withKeys(member, mark, keys)];
    }),
  );
}
