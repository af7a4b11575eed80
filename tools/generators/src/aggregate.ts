import { add, addFolder, change, template, type Files, type Words } from './files';
import { changeCell, OWNS, record, tell } from './facts';
import { eventWords, nounWords } from './names';
import { CATALOGUE, contractOf, domainOf, factsOf, DEMO_OBJECTS, featuresOf, STRANGERS } from './places';
import { insertBefore, replaced, withDefaultImport, withImport, withItem } from './source-text';

export interface AggregateOptions {
  readonly context: string;
  readonly noun: string;
  readonly plural?: string;
  readonly prefix?: string;
}

/** An object that merchants create and read, in all the places where one is. */
export function aggregate(files: Files, options: AggregateOptions): void {
  const { context, noun, plural, prefix = noun.replaceAll('-', '') } = options;
  const nouns = nounWords(context, noun, plural);
  const timestamp = String(Date.now());
  const words: Words = { ...nouns, ...eventWords(nouns, 'created'), prefix, timestamp };
  addFolder(files, 'aggregate', `libs/${context}`, words);
  change(files, `${domainOf(words)}/index.ts`, (text) => {
    const known = text.replace('export {};\n', '');
    return `${known}export * from './decide-${noun}';\nexport * from './${noun}';\n`;
  });
  offer(files, words);
  publish(files, words);
  serve(files, words);
  const story = `apps/scenarios/src/stories/${words.nouns}.scenario.ts`;
  add(files, story, template('pieces/story.ts', words));
  meetStrangers(files, words);
  offerToTry(files, words);
  change(files, CATALOGUE, (text) => {
    const owns = new RegExp(`('?${context}'?: \\{[^}]*?owns: ')([^']*)`);
    return replaced(text, owns, (before = '', known = '') =>
      before + (known === 'nothing yet' ? '' : `${known}, `) + words.nouns_words,
    );
  });
  changeCell(files, words, OWNS, `${words.nouns_words}`);
}

/** The contract: facts, routes, classes and the kind of ids. */
function offer(files: Files, words: Words): void {
  const { context, contextVar, Noun, nounVar } = words;
  change(files, factsOf(words), (text) =>
    [
      ['class-transformer', 'Type'],
      ['class-validator', 'IsIn', 'IsString', 'ValidateNested'],
      ['@tender/kernel', 'MODES', 'type Mode'],
      ['./fact', 'fact'],
      ['./validation', 'IsTime', 'OrNull'],
    ].reduce(
      (done, [from = '', ...names]) => withImport(done, from, ...names),
      insertBefore(
        text,
        `export const ${contextVar}Facts`,
        template('pieces/facts-of-noun.ts', words),
      ),
    ),
  );
  change(files, contractOf(words), (text) => {
    const end = `export const ${contextVar}Routes = [`;
    const keyed = text.includes('const reading = ') ? '' : template('pieces/keyed.ts', words);
    const body = template('pieces/contract-of-noun.ts', words);
    const [classes = '', routes = ''] = body.split(/(?=export const create)/);
    const whole = insertBefore(text, end, classes + keyed + routes);
    const imported = [
      ['class-validator', 'IsOptional', 'IsString', 'MaxLength'],
      [`./${context}.facts`, `${Noun}Snapshot`],
      ['./object-ids', 'prefixedIds'],
      ['./route', 'route'],
      ['./validation', 'Describe'],
    ].reduce((done, [from = '', ...names]) => withImport(done, from, ...names), whole);
    return withItem(withItem(imported, end, `create${Noun}`), end, `get${Noun}`);
  });
  change(files, 'libs/contracts/src/object-ids.spec.ts', (text) =>
    withItem(
      withImport(text, `./${context}`, `${nounVar}Ids`),
      'const KINDS: Readonly<Record<string, Made>> = {',
      `${nounVar}Ids`,
    ),
  );
}

/** What it tells in public of its events. */
function publish(files: Files, words: Words): void {
  const { context, Noun, nounVar, noun, nouns, nounsVar, noun_field } = words;
  const created_at = '2026-01-01T00:00:00.000Z';
  const id = `${words.prefix}_test_0000000000000000000042`;
  const owner = { merchant_id: '8d8e8f90-9192-8394-9596-979899a0a1a2' };
  const told = { note: 'For the window', mode: 'test', created_at };
  change(files, `${featuresOf(words)}/publish-${context}.ts`, (text) => {
    const at = template('pieces/publish-noun.ts', words);
    const placed = insertBefore(text, /\/\*\*[^/]*\*\/\nexport const publish/, at);
    const typed = replaced(placed, /publications<([^>]*)>/, (events = '') =>
      `publications<${events === 'never' ? '' : `${events} | `}${Noun}Event>`,
    );
    return [
      ['@tender/eventing', 'publications', 'tells'],
      [`@tender/${context}-domain`, `${nounVar}After`, `type ${Noun}Event`],
      [`./${nouns}/render-${noun}`, `render${Noun}`],
    ].reduce((done, [from = '', ...names]) => withImport(done, from, ...names), typed);
  });
  const spec = `${featuresOf(words)}/publish-${context}.spec.ts`;
  if (!files.exists(spec)) files.write(spec, template('pieces/publish.spec.ts', words));
  change(files, spec, (text) =>
    withItem(
      withDefaultImport(text, `../../domain/src/recorded/${noun}-v1.json`, `${nounsVar}`),
      'const recorded: Record<string, unknown> = {',
      `...${nounsVar}`,
    ),
  );
  const terms = { [`${noun_field}_id`]: id, ...owner, mode: 'test', note: told.note, created_at };
  record(files, words, { type: `${words.Event}`, data: { terms } });
  tell(files, words, { [`${noun_field}`]: { id, ...owner, status: 'created', ...told } });
}

/** Its place in the two screens of the context. */
function serve(files: Files, words: Words): void {
  const { context, Noun, Nouns, noun, nouns, nounVar, timestamp } = words;
  change(files, `${featuresOf(words)}/${context}.module.ts`, (text) =>
    ['create', 'get'].reduce((done, verb) => {
      const name = `${verb === 'create' ? 'Create' : 'Get'}${Noun}Http`;
      const imported = withImport(done, `./${verb}-${noun}/${verb}-${noun}.http`, name);
      return withItem(imported, 'controllers: [', name);
    }, text),
  );
  const migration = `Create${Nouns}${timestamp}`;
  change(files, `${featuresOf(words)}/${context}.context.ts`, (text) => {
    const made = withImport(text, `./create-${nouns}.migration`, migration);
    const known = withImport(made, `./${nouns}/${noun}.aggregate`, `${nounVar}`);
    const moved = withItem(known, 'migrations: [', migration);
    const read = withItem(moved, 'projections: [', `${nounVar}.view`);
    return withItem(read, 'categories: [', `...${nounVar}.categories`);
  });
}

/** The reference has one to try its routes with. */
function offerToTry(files: Files, { nouns }: Words): void {
  const made = `'/api/v1/${nouns}/': (await make('/${nouns}', {})).id`;
  change(files, DEMO_OBJECTS, (text) => withItem(text, '  const named = {', made));
}

/** The story of every object against every stranger has one of these, too. */
function meetStrangers(files: Files, { nounVar, nouns }: Words): void {
  change(files, STRANGERS, (text) => {
    const create = `  const ${nounVar} = await owner.api.post('/api/v1/${nouns}', {});\n`;
    const created = insertBefore(text, '  objects = {', create);
    return withItem(created, '  objects = {', `'/api/v1/${nouns}/': ${nounVar}.json.id`);
  });
}
