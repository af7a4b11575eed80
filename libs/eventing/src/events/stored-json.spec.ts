import fc from 'fast-check';
import { storedJson } from './stored-json';

describe('stored JSON', () => {
  const pieces = fc.constantFrom('\\', '"', 'size', 'a', ':', '\n', '/', 'u0022', '\ue000', '0', 'é');
  const text = fc.array(pieces, { maxLength: 4 }).map((parts) => parts.join(''));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, 1.5),
      text,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
    ),
  }));

  it('is read as it was written, key by key and in order, whatever was read before', () => {
    // What a reader remembers of one object is what it gets the next one wrong by.
    fc.assert(
      fc.property(value, (written) => {
        const source = JSON.stringify(written);
        expect(JSON.stringify(storedJson(source))).toBe(source);
      }),
      { numRuns: 2_000 },
    );
  });

  it('tells a key that ends in a quote from one that ends in a backslash', () => {
    for (const key of ['size\\', 'size"', 'size\\\\', 'size\\"', 'size\\u0022']) {
      const source = JSON.stringify({ a: 'x', [key]: 'x' });
      expect(JSON.stringify(storedJson(source))).toBe(source);
    }
  });

  it('reads what a person has laid out', () => {
    expect(storedJson('{ "a\\"b" : "c\\"d:" , "e": ["\\\\"] }')).toEqual({ 'a"b': 'c"d:', e: ['\\'] });
  });
});
