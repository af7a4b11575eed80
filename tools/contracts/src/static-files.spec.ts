import { readFileSync } from 'node:fs';
import path from 'node:path';
import { faultsOf, STATIC_FILES, type StaticFile } from './static-files';

const ROOT = path.resolve(__dirname, '../../..');
const textOf = (file: StaticFile): string => readFileSync(path.join(ROOT, file.path), 'utf8');

const cases = STATIC_FILES.map((file) => [`${file.path}, ${file.names.source}`, file] as const);

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
