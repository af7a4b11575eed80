import { change, changeJson, template, type Files, type Words } from './files';
import { ARCHITECTURE, domainOf, factsOf, featuresOf } from './places';
import { COLUMNS, insertBefore, replaced, withImport, withItem } from './source-text';

interface Recorded {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
type History = Record<string, Recorded>;

/** An event in the recorded history of its object, which every later release must fold. */
export function record(files: Files, words: Words, event: Recorded): void {
  const { noun, Event = '' } = words;
  const file = `${domainOf(words)}/recorded/${noun}-v1.json`;
  if (!files.exists(file)) files.write(file, '{}\n');
  changeJson<History>(files, file, (history) => {
    history[Event] = event;
  });
}

/** Facts on lines of their own stand together. */
const TWO_FACTS = /(export const \w+ = fact\(.*\);\n)\n(?=export const \w+ = fact\(.*\);\n)/;

/** A public event: the fact, what publishes it, and a record of what it says. */
export function tell(files: Files, words: Words, data: Recorded['data']): void {
  const { context, Context, contextVar, Event = '', event, eventVar, nounVar } = words;
  change(files, factsOf(words), (text) => {
    const end = `export const ${contextVar}Facts = [`;
    const line = template('pieces/fact.ts', words);
    const broken = line.replace('{ data: ', '{\n  data: ').replace(' })', ',\n})');
    const told = insertBefore(text, end, `${line.length > COLUMNS ? broken : line}\n`);
    return withItem(told.replace(TWO_FACTS, '$1'), end, `${eventVar}`);
  });
  change(files, `${featuresOf(words)}/publish-${context}.ts`, (text) => {
    const known = withImport(text, '@tender/contracts', `${eventVar}`);
    const telling = `${Event}: tells(${eventVar}, ${nounVar}At)`;
    return withItem(known, new RegExp(`publish${Context} = publications<[^>]*>\\(\\{`), telling);
  });
  const file = `${featuresOf(words)}/recorded/${context}-public-v1.json`;
  if (!files.exists(file)) files.write(file, '{}\n');
  changeJson<History>(files, file, (history) => {
    history[Event] = { type: `${context}.${event}.v1`, data };
  });
  changeCell(files, words, SAYS, `${event}`);
}

/** Columns of the table of contexts in the architecture page. */
export const OWNS = 3;
const SAYS = 4;
const NONE = ['–', 'nothing yet'];

/** One thing more that a context owns or says. */
export function changeCell(files: Files, { context }: Words, column: number, more: string): void {
  const row = new RegExp(`^(\\| ${context} \\|.*)$`, 'm');
  change(files, ARCHITECTURE, (text) =>
    replaced(text, row, (line = '') => {
      const cells = line.split(' | ');
      const known = String(cells[column - 1]);
      return cells.with(column - 1, NONE.includes(known) ? more : `${known}, ${more}`).join(' | ');
    }),
  );
}
