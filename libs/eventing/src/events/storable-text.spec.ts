import fc from 'fast-check';
import { UnstorableText } from '../ports/failures';
import { storableJson } from './storable-text';

describe('storableJson', () => {
  it('refuses exactly the text that holds NUL or half of a pair', () => {
    const pieces = fc.constantFrom(
      '\0',
      '\ud800',
      '\udfff',
      '\ud83d\ude00',
      '\\',
      'u0000',
      '"',
      'a',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = parts.join('');
        const storable = text.isWellFormed() && !text.includes('\0');
        const write = () => storableJson('note.test-1', { [text]: [text] });
        if (storable) expect(JSON.parse(write())).toEqual({ [text]: [text] });
        else expect(write).toThrow(UnstorableText);
      }),
      { numRuns: 500 },
    );
  });
});
