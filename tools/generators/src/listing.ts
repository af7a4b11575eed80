import { addFolder, change, template, type Files, type Words } from './files';
import { nounWords } from './names';
import { contractOf, featuresOf, folderOf } from './places';
import { insertBefore, withImport, withItem } from './source-text';

export interface ListingOptions {
  readonly context: string;
  readonly noun: string;
  readonly plural?: string;
}

/** The list of a merchant's objects, newest first. */
export function listing(files: Files, { context, noun, plural }: ListingOptions): void {
  const nouns = nounWords(context, noun, plural);
  const words: Words = { ...nouns, folder: folderOf(files, nouns) };
  const { contextVar, Nouns, nouns: name } = words;
  addFolder(files, 'listing', `${featuresOf(words)}/list-${name}`, words);
  change(files, contractOf(words), (text) => {
    const end = `export const ${contextVar}Routes = [`;
    const answer = template('pieces/list-answer.ts', words);
    const answered = insertBefore(text, /^const keyed = /m, answer);
    const routed = insertBefore(answered, end, template('pieces/list-route.ts', words));
    const imported = [
      ['class-transformer', 'Type'],
      ['class-validator', 'IsArray', 'ValidateNested'],
      ['./validation', 'PageQuery', 'Pagination'],
    ].reduce((done, [from = '', ...names]) => withImport(done, from, ...names), routed);
    return withItem(imported, end, `list${Nouns}`);
  });
  change(files, `${featuresOf(words)}/${context}.module.ts`, (text) =>
    withItem(
      withImport(text, `./list-${name}/list-${name}.http`, `List${Nouns}Http`),
      'controllers: [',
      `List${Nouns}Http`,
    ),
  );
  change(files, `${featuresOf(words)}/create-${noun}/create-${noun}.slice.spec.ts`, (text) =>
    text + template('pieces/list.spec.ts', words),
  );
}
