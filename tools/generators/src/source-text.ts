/** Changes of TypeScript files in the form that they have here. Each says what it has looked for in vain. */

export const COLUMNS = 100;

/** Before or after the one place where that stands. */
export function insertBefore(text: string, mark: string | RegExp, added: string): string {
  const at = placeOf(text, mark).from;
  return text.slice(0, at) + added + text.slice(at);
}

export function insertAfter(text: string, mark: string | RegExp, added: string): string {
  const at = placeOf(text, mark).to;
  return text.slice(0, at) + added + text.slice(at);
}

/** In place of the first that looks like it. */
export function replaced(text: string, mark: RegExp, by: (...parts: string[]) => string): string {
  placeOf(text, mark);
  return text.replace(mark, (_, ...parts: string[]) => by(...parts));
}

interface Place {
  readonly from: number;
  readonly to: number;
}

function placeOf(text: string, mark: string | RegExp): Place {
  const from = typeof mark === 'string' ? text.indexOf(mark) : text.search(mark);
  if (from < 0) throw new Error(`nothing there looks like ${String(mark)}`);
  const found = typeof mark === 'string' ? mark : (mark.exec(text) as RegExpExecArray)[0];
  return { from, to: from + found.length };
}

/** The end of a list that begins with this opening: where its bracket is closed. */
function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if ('[{('.includes(text.charAt(at))) depth += 1;
    if (']})'.includes(text.charAt(at))) depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error('a bracket is never closed');
}

/** What stands between the commas of a list, lists within an item left whole. */
function itemsOf(inside: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let item = '';
  for (const character of inside) {
    if ('[{('.includes(character)) depth += 1;
    if (']})'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) {
      items.push(item.trim());
      item = '';
    } else item += character;
  }
  return [...items, item.trim()].filter(Boolean);
}

/**
 * One item more at the end of a list or an object, whose `opening` ends with its bracket. What fits on one line stays
 * there; what does not, and what stood on lines, stands on lines.
 */
export function withItem(text: string, opening: string | RegExp, item: string): string {
  const open = placeOf(text, opening).to - 1;
  const close = closingOf(text, open);
  const [bracket, end] = [text.charAt(open), text.charAt(close)];
  const inside = text.slice(open + 1, close);
  const listed = [...itemsOf(inside), item];
  const begin = text.lastIndexOf('\n', open) + 1;
  const indent = /^ */.exec(text.slice(begin))?.[0] ?? '';
  const space = bracket === '{' ? ' ' : '';
  const items = listed.join(', ');
  const rest = text.slice(close, text.indexOf('\n', close));
  const line = text.slice(begin, open) + bracket + space + items + space + rest;
  const fits = !inside.includes('\n') && !item.includes('\n') && line.length <= COLUMNS;
  if (fits) return text.slice(0, open + 1) + space + items + space + end + text.slice(close + 1);
  const lines = listed.map((one) => `${indent}  ${one},\n`).join('');
  return `${text.slice(0, open + 1)}\n${lines}${indent}${end}${text.slice(close + 1)}`;
}

const IMPORT = /^import (type )?\{([^}]*)\} from '([^']+)';\n/gm;

/** Imports these names as well: `CreatePlan`, `type Plan`. */
export function withImport(text: string, from: string, ...names: readonly string[]): string {
  const imports = [...text.matchAll(IMPORT)];
  const known = imports.find(([, , , module]) => module === from);
  if (!known) return insertImport(text, from, importOf(from, names));
  const kind = known[1] ? 'type ' : '';
  const before = namesIn(String(known[2]));
  const all = [...before.map((name) => kind + name), ...names];
  return text.replace(known[0], importOf(from, all));
}

/** For files of JSON. */
export const withDefaultImport = (text: string, from: string, name: string): string =>
  insertImport(text, from, `import ${name} from '${from}';\n`);

function insertImport(text: string, from: string, line: string): string {
  const all = [...text.matchAll(/^import [^;]*? from '([^']+)';\n/gm)];
  const next = all.find(([, module]) => isBefore(from, String(module)));
  const last = all.at(-1);
  const at = next ? next.index : last ? last.index + last[0].length : 0;
  return text.slice(0, at) + line + (all.length === 0 ? '\n' : '') + text.slice(at);
}

/** Values first, each kind by its name, capitals or not. */
const placeIn = (name: string): string =>
  (name.startsWith('type ') ? '2' : '1') + name.replace('type ', '').toLowerCase();

const isBefore = (one: string, other: string): boolean =>
  one.startsWith('.') === other.startsWith('.') ? one < other : other.startsWith('.');

/** Imports at the head of a file in their order: names that a template was given are not known before. */
export const tidied = (text: string): string =>
  text.replace(/(?:^import [^;]*;\n)+/m, (block) =>
    (block.match(/^import [^;]*;\n/gm) as string[])
      .map((line) => [moduleOf(line), line.replace(IMPORT, reformatted)] as const)
      .sort(([one], [other]) => (one === other ? 0 : isBefore(one, other) ? -1 : 1))
      .map(([, line]) => line)
      .join(''),
  );

const moduleOf = (line: string): string => /'([^']+)';\n$/.exec(line)?.[1] ?? '';

const namesIn = (list: string): string[] =>
  list.split(',').map((name) => name.trim()).filter(Boolean);

const reformatted = (_: string, type: string | undefined, names: string, from: string): string =>
  importOf(from, namesIn(names).map((name) => (type ?? '') + name));

function importOf(from: string, names: readonly string[]): string {
  const values = new Set(names.filter((name) => !name.startsWith('type ')));
  const needed = names.filter((name) => !values.has(name.replace('type ', '')) || values.has(name));
  const byPlace = (one: string, other: string) => (placeIn(one) < placeIn(other) ? -1 : 1);
  const sorted = [...new Set(needed)].sort(byPlace);
  const is_type = sorted.every((name) => name.startsWith('type '));
  const kind = is_type ? 'type ' : '';
  const listed = is_type ? sorted.map((name) => name.replace('type ', '')) : sorted;
  const line = `import ${kind}{ ${listed.join(', ')} } from '${from}';\n`;
  if (line.length <= COLUMNS + 1) return line;
  return `import ${kind}{\n${listed.map((name) => `  ${name},\n`).join('')}} from '${from}';\n`;
}

/** One more possibility of `export type <name> = …;`. `never` was none. */
export function withMember(text: string, name: string, member: string): string {
  return replaced(text, new RegExp(`export type ${name} =([^;]*);`), (members = '') => {
    const all = members.split('|').map((one) => one.trim()).filter((one) => one && one !== 'never');
    const line = `export type ${name} = ${[...all, member].join(' | ')};`;
    if (line.length <= COLUMNS) return line;
    return `export type ${name} =${[...all, member].map((one) => `\n  | ${one}`).join('')};`;
  });
}
