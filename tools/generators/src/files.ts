import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { tidied } from './source-text';

/** What a generator needs of nx's tree: nothing is written to the disk before it has come to its end. */
export interface Files {
  read(file: string, encoding: 'utf-8'): string | null;
  write(file: string, text: string): void;
  exists(file: string): boolean;
}

/** What stands in templates for a name: `__Noun__` → `Plan`. */
export type Words = Readonly<Record<string, string>>;

const TEMPLATES = path.join(__dirname, '../templates');
const ENDING = '.template';

export const filled = (text: string, words: Words): string =>
  text.replaceAll(/__([A-Za-z]\w*?)__/g, (whole, name: string) => {
    const word = words[name];
    if (word === undefined) throw new Error(`A template asks for ${whole}, for which there is no value.`);
    return word;
  });

/** One template, with the words of this occasion. */
export const template = (name: string, words: Words): string =>
  tidied(filled(readFileSync(path.join(TEMPLATES, name + ENDING), 'utf8'), words));

/** A folder of templates, put into another one. Files that exist are not touched: they would be lost. */
export function addFolder(files: Files, from: string, to: string, words: Words): void {
  const names = readdirSync(path.join(TEMPLATES, from), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => one.endsWith(ENDING)).sort()) {
    const plain = name.slice(0, -ENDING.length);
    add(files, path.posix.join(to, filled(plain, words)), template(path.join(from, plain), words));
  }
}

export function add(files: Files, file: string, text: string): void {
  if (files.exists(file)) throw new Error(`${file} exists. Choose another name, or remove it.`);
  files.write(file, text);
}

export function change(files: Files, file: string, by: (text: string) => string): void {
  const text = files.read(file, 'utf-8');
  if (text === null) throw new Error(`There is no ${file}.`);
  try {
    files.write(file, by(text));
  } catch (error) {
    throw new Error(`${file} is not as the generators know it: ${(error as Error).message}`);
  }
}

/** A file of JSON as npm writes it. */
export function changeJson<Json>(files: Files, file: string, by: (json: Json) => void): void {
  change(files, file, (text) => {
    const json = JSON.parse(text) as Json;
    by(json);
    return `${JSON.stringify(json, null, 2)}\n`;
  });
}
