/** Answers the text of a file with what belongs to that name. */
export type Put = (text: string, name: string) => string;

/**
 * Puts lines after those of the last name, at their depth. What is deeper below that name belongs to it; where a blank
 * line stands above it, one stands above the new lines as well.
 */
export const afterLast =
  (names: RegExp, lines: (name: string) => string): Put =>
  (text, name) => {
    const all = text.split('\n');
    const last = [...text.matchAll(names)].at(-1);
    if (!last) throw new Error(`Nothing looks like ${names}: where does ${name} go?`);
    const first = text.slice(0, last.index).split('\n').length - 1;
    const depth = depthOf(all[first] as string);
    let end = first + 1;
    while (end < all.length && depthOf(all[end] as string) > depth) end += 1;
    const added = lines(name).split('\n');
    const shift = ' '.repeat(Math.max(depth - depthOf(added[0] as string), 0));
    const gap = all[first - 1] === '' ? [''] : [];
    return all.toSpliced(end, 0, ...gap, ...added.map((line) => shift + line)).join('\n');
  };

/** Blank lines are no deeper than anything. */
const depthOf = (line: string): number => line.search(/\S/);

/** Changes a file as JSON; how npm and TypeScript write it stays. */
export const inJson =
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what is read is another program's file
  (change: (json: any, name: string) => void): Put =>
  (text, name) => {
    const json: unknown = JSON.parse(text);
    change(json, name);
    return `${JSON.stringify(json, null, 2)}\n`;
  };

/** The list with these items after the last one that is of their kind. */
export const insertAfterLast = <Item>(
  list: readonly Item[],
  isOfTheirKind: (item: Item) => boolean,
  items: readonly Item[],
): Item[] => list.toSpliced(list.findLastIndex(isOfTheirKind) + 1, 0, ...items);
