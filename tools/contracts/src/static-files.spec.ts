import { readFileSync } from 'node:fs';
import path from 'node:path';
import { addressSetting, CONTEXTS, SERVICES } from '@tender/contracts';
import { completed, faultsOf, staticFilesOf, type StaticFile } from './static-files';

const ROOT = path.resolve(__dirname, '../../..');
const textOf = (file: StaticFile): string => readFileSync(path.join(ROOT, file.path), 'utf8');

const contexts = Object.keys(CONTEXTS);
const filesOf = (...others: readonly string[]) => {
  const services = [...SERVICES, ...others];
  return staticFilesOf({ contexts: [...contexts, ...others], services, addressSetting });
};
const casesOf = (files: readonly StaticFile[]) =>
  files.map((file) => [`${file.path}, ${file.names.source}`, file] as const);
const cases = casesOf(filesOf());

test.each(cases)('%s says what the catalogue says', (_, file) => {
  expect(faultsOf(file, textOf(file))).toEqual([]);
});

describe.each(cases)('%s', (_, file) => {
  const text = textOf(file);
  const [first] = [...text.matchAll(file.names)];
  const [entry = '', name = ''] = first ?? [];

  test('is found out when a line is removed, with the line to add', () => {
    const [fault] = faultsOf(file, text.replaceAll(entry, ''));
    expect(fault).toContain(`${file.path} lacks ${name}. Add:\n`);
  });

  test('is found out when a line is planted', () => {
    const other = entry.replaceAll(name, `${name}_planted`);
    expect(faultsOf(file, text.replace(entry, `${entry}\n${other}`))).toEqual([
      `${file.path} names ${name}_planted, which the catalogue does not know. Remove it.`,
    ]);
  });
});

const grown = casesOf(filesOf('one-more').filter(({ put }) => put !== undefined));
test.each(grown)('%s has all that one more name asks for once its lines are put in', (_, file) => {
  const text = textOf(file);
  expect(faultsOf(file, text)).toHaveLength(1);
  const put = completed(file, text);
  expect(faultsOf(file, put)).toEqual([]);
  expect(completed(file, put)).toBe(put);
});
