import { addFolder, change, template, type Files, type Words } from './files';
import { record, tell } from './facts';
import { commandWords, nounWords } from './names';
import { contractOf, domainOf, ERRORS, factsOf, featuresOf, folderOf } from './places';
import { insertBefore, replaced, withImport, withItem, withMember } from './source-text';

export interface CommandOptions {
  readonly context: string;
  readonly noun: string;
  /** `ArchivePlan` */
  readonly command: string;
  readonly past?: string;
  readonly plural?: string;
}

interface History {
  readonly [type: string]: { readonly data: Readonly<Record<string, unknown>> };
}

/** A command that moves an object on, once: a second time is refused. */
export function command(files: Files, options: CommandOptions): void {
  const { context, noun, plural } = options;
  const nouns = nounWords(context, noun, plural);
  const named = commandWords(nouns, options.command, options.past);
  const words: Words = { ...named, folder: folderOf(files, nouns) };
  addFolder(files, 'command', `${featuresOf(words)}/${words.command}`, words);
  decide(files, words);
  fold(files, words);
  offer(files, words);
  happen(files, words);
  const { Command, command: name } = words;
  change(files, `${featuresOf(words)}/${context}.module.ts`, (text) =>
    withItem(
      withImport(text, `./${name}/${name}.http`, `${Command}Http`),
      'controllers: [',
      `${Command}Http`,
    ),
  );
}

/** Its rule, with a spec. */
function decide(files: Files, words: Words): void {
  const { noun, Noun, nounVar, Command, commandVar, Event } = words;
  const file = `${domainOf(words)}/decide-${noun}`;
  change(files, `${file}.ts`, (text) => {
    const typed = insertBefore(
      text,
      new RegExp(`(?:/\\*\\*[^/]*\\*/\\n)?export const ${nounVar}Decider`),
      template('pieces/command-type.ts', words),
    );
    const known = withItem(typed, 'decide: {', `${Command}: ${commandVar}`);
    const imported = withImport(known, '@tender/kernel', 'accept', 'refuse', 'type Decision');
    return imported.trimEnd() + '\n' + template('pieces/command-rule.ts', words);
  });
  change(files, `${file}.spec.ts`, (text) => {
    const known = withImport(text, `./decide-${noun}`, `type ${Command}`);
    const imported = withImport(known, `./${noun}`, `type ${Event}`, `type ${Noun}Created`);
    return imported + template('pieces/command-rule.spec.ts', words);
  });
}

/** Its event, and what has become of the object after it. */
function fold(files: Files, words: Words): void {
  const { noun, Noun, Event, past_field } = words;
  const guard = "  if (state.status === 'unknown') return state;\n";
  change(files, `${domainOf(words)}/${noun}.ts`, (text) => {
    const event = template('pieces/command-event.ts', words);
    const evented = insertBefore(text, `export type ${Noun}Event =`, event);
    const listed = withMember(evented, `${Noun}Event`, `${Event}`);
    const named = withMember(listed, `${Noun}StatusName`, `'${past_field}'`);
    const head = new RegExp(`(export function evolve${Noun}\\([^]*?)(  return state;\\n\\})`);
    return replaced(named, head, (before = '', end = '') => {
      const guarded = before.includes(guard) ? before : before + guard;
      const after = `{ ...state, status: '${past_field}' }`;
      return `${guarded}  if (event.type === '${Event}') return ${after};\n${end}`;
    });
  });
}

/** Its route, the status in answers, and the code of its refusal. */
function offer(files: Files, words: Words): void {
  const { contextVar, NOUN, noun_field, noun_words, past_field, commandVar } = words;
  change(files, factsOf(words), (text) =>
    withItem(text, `export const ${NOUN}_STATUSES = [`, `'${past_field}'`),
  );
  change(files, contractOf(words), (text) => {
    const end = `export const ${contextVar}Routes = [`;
    const routed = insertBefore(text, end, template('pieces/command-route.ts', words));
    return withItem(routed, end, `${commandVar}`);
  });
  const meaning = `'The ${noun_words} was ${words.past_words} before.'`;
  const code = `  ${noun_field}_already_${past_field}: [409, ${meaning}],\n`;
  change(files, ERRORS, (text) => insertBefore(text, /^ {2}\w+: \[410,/m, code));
}

/** Its event is public and recorded as it is published: everything else is as at the creation. */
function happen(files: Files, words: Words): void {
  const { context, noun, Noun, noun_field = '', Event, past_field } = words;
  const read = (file: string) => JSON.parse(files.read(file, 'utf-8') ?? '{}') as History;
  const created = read(`${domainOf(words)}/recorded/${noun}-v1.json`)[`${Noun}Created`];
  const told = read(`${featuresOf(words)}/recorded/${context}-public-v1.json`)[`${Noun}Created`];
  const terms = created?.data.terms;
  const shown = told?.data[noun_field];
  if (!terms || !shown) {
    throw new Error(`No ${Noun}Created is recorded, so nothing says what ${Event} tells.`);
  }
  const data = { terms, [`${past_field}_at`]: '2026-01-02T00:00:00.000Z' };
  record(files, words, { type: `${Event}`, data });
  tell(files, words, { ...told.data, [noun_field]: { ...shown, status: past_field } });
}
