import { insertBefore, tidied, withImport, withItem, withMember } from './source-text';

describe('imports', () => {
  const text = "import { b, type T } from '@tender/b';\nimport { z } from './z';\n\nconst x = b;\n";

  test('names join those of their module, values first', () => {
    const [line] = withImport(text, '@tender/b', 'c', 'type A', 'b').split('\n');
    expect(line).toBe("import { b, c, type A, type T } from '@tender/b';");
  });
  test('a module comes where it belongs', () => {
    const more = withImport(withImport(text, './y', 'y'), '@tender/c', 'type C');
    expect(more.match(/'.*'/g)).toEqual(["'@tender/b'", "'@tender/c'", "'./y'", "'./z'"]);
    expect(more).toContain("import type { C } from '@tender/c';\n");
  });
  test('a file without any begins with it', () => {
    expect(withImport('const x = 1;\n', './a', 'a')).toBe("import { a } from './a';\n\nconst x = 1;\n");
  });
  test('what is too long for a line stands on lines, and what is not does not', () => {
    const names = Array.from({ length: 9 }, (_, index) => `aLongNameOf${index}`);
    const long = withImport('', './a', ...names);
    expect(long.split('\n')).toHaveLength(names.length + 4);
    expect(tidied("import {\n  b,\n  a,\n} from './a';\n")).toBe("import { a, b } from './a';\n");
  });
});

describe('lists', () => {
  test('an item stays on the line while there is room', () => {
    expect(withItem('x = [a, f(b, c)] as const;\n', 'x = [', 'd')).toBe('x = [a, f(b, c), d] as const;\n');
    expect(withItem('x = {};\n', 'x = {', 'a: 1')).toBe('x = { a: 1 };\n');
  });
  test('each has a line where there is none', () => {
    const long = 'a'.repeat(48);
    const lines = withItem(`  x = [${long}, f(b, c)],\n`, 'x = [', `${long}1`);
    expect(lines).toBe(`  x = [\n    ${long},\n    f(b, c),\n    ${long}1,\n  ],\n`);
  });
  test('what stands on lines stays there', () => {
    expect(withItem('x = {\n  a: [1, 2],\n};\n', 'x = {', 'b')).toBe('x = {\n  a: [1, 2],\n  b,\n};\n');
  });
});

test('a type has one possibility more', () => {
  expect(withMember("export type S = 'a';\n", 'S', "'b'")).toBe("export type S = 'a' | 'b';\n");
  expect(withMember('export type S =\n  | A\n  | B;\n', 'S', 'C'.repeat(90))).toBe(
    `export type S =\n  | A\n  | B\n  | ${'C'.repeat(90)};\n`,
  );
});

test('what is not there is said', () => {
  expect(() => insertBefore('x', 'const y', '')).toThrow('nothing there looks like const y');
});
