import fc from 'fast-check';
import { arrayLiteral } from './array-literal';

/** How Postgres reads an array of text: quotes around each element, a backslash before any character. */
function read(literal: string): (string | null)[] {
  const elements: (string | null)[] = [];
  const element = /NULL|"((?:\\[^]|[^"\\])*)"/y;
  let at = 1;
  while (at < literal.length - 1) {
    element.lastIndex = at;
    const found = element.exec(literal);
    if (!found) throw new Error(`not an array literal at ${at}: ${literal}`);
    elements.push(found[1] === undefined ? null : found[1].replaceAll(/\\([^])/g, '$1'));
    at = element.lastIndex + 1;
  }
  return elements;
}

describe('an array literal', () => {
  it('is read back as it was, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u0001', '\ud83d\ude00', '{', ',', 'é') }),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(text, fc.constant(null))), (elements) => {
        expect(read(arrayLiteral(elements))).toEqual(elements);
      }),
    );
  });

  it('writes numbers and truth as Postgres reads them', () => {
    expect(arrayLiteral([1, 2n, true, null, undefined])).toBe('{"1","2","true",NULL,NULL}');
  });
});
