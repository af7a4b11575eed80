import fc from 'fast-check';
import { JsonFault, parseJson } from './parse-json';

const parse = (text: string) => parseJson(Buffer.from(text));

/** JSON that RFC 8259 forbids, in the manner of JSONTestSuite's n_* files. */
const FORBIDDEN = [
  '', ' ', '{', '}', '[', ']', '{]', '[}', '[1,]', '[,1]', '[1,,2]', '{"a":1,}', '{,"a":1}', '{"a"}', '{"a":}',
  '{"a" 1}', '{"a"::1}', '{a:1}', "{'a':1}", '{1:1}', '{"a":1 "b":2}', '[1 2]', '[1][2]', '{}x', '{}#', '[1]]',
  'nul', 'tru', 'True', 'NULL', 'nan', 'NaN', 'Infinity', '-Infinity', '-NaN', 'undefined', '[-]', '-',
  '+1', '01', '-01', '.5', '1.', '1.e1', '1e', '1e+', '1E-', '0x10', '1_000', '1 000', '--1', '0e', '-.1', '٣',
  '"', '"a', '"\\', '"\\x"', '"\\u12"', '"\\u12G4"', '"\\U1234"', '"\t"', '"\n"', '"\u0001"', '"a\u0000"', "'a'",
  '/**/{}', '{}//', '// {}', '{"a":/*b*/1}', '[1e400]', '[-1e400]', '\uFEFF{}', '\u00A0{}', '\f{}', '\v{}', '{}\u0000',
];

describe('strict JSON', () => {
  it.each(FORBIDDEN.map((text) => [text]))('refuses %j', (text) => {
    expect(() => parse(text)).toThrow(JsonFault);
  });

  it('refuses what cuts a good document short, and what follows it', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        fc.pre(/^[[{"]/.test(text) && !text.includes('__proto__'));
        expect(() => parse(text.slice(0, at % text.length))).toThrow(JsonFault);
        expect(() => parse(`${text},`)).toThrow(JsonFault);
      }),
    );
  });

  it('reads what JSON.parse reads, with the same value', () => {
    const value = fc.jsonValue({ depthSize: 'small' });
    fc.assert(
      fc.property(value, (made) => {
        const text = JSON.stringify(made);
        fc.pre(!/"(__proto__|constructor|prototype)"/.test(text) && !text.includes('\\u0000'));
        expect(parse(text).value).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}'],
    ['{"amount":1,"\\u0061mount":1000}'],
    ['{"m":{"x":1,"x":1}}'],
  ])('refuses duplicate keys: %s', (text) => {
    expect(() => parse(text)).toThrow(/twice/);
  });

  it.each([
    ['{"__proto__":{}}', false],
    ['{"a":{"__proto__":1}}', false],
    ['{"metadata":{"__proto__":1}}', false],
    ['{"metadata":{"a":[{"\\u005f_proto__":1}]}}', false],
    ['{"constructor":{"prototype":{}}}', false],
    ['{"a":[{"prototype":1}]}', false],
    ['{"metadata":{"constructor":"a","prototype":"b","toString":"c"}}', true],
  ])('keys that reach prototypes: %s', (text, is_read) => {
    if (is_read) expect(JSON.stringify(parse(text).value)).toBe(text);
    else expect(() => parse(text)).toThrow(/not allowed/);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('reads 32 levels and refuses the 33rd, however many follow', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(parse(nested(32)).value).toEqual(expect.any(Array));
    expect(() => parse(nested(33))).toThrow(/32 levels/);
    expect(() => parse('['.repeat(100_000))).toThrow(/32 levels/);
  });

  it.each([
    [[0x7b, 0xff, 0x7d]],
    [[0xc0, 0x80]],
    [[0x22, 0xed, 0xa0, 0x80, 0x22]],
    [[0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    [[0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    [[0x00, 0x7b, 0x00, 0x7d]],
  ])('refuses bytes that are not plain UTF-8: %p', (bytes) => {
    expect(() => parseJson(Uint8Array.from(bytes))).toThrow(JsonFault);
  });

  it.each([['"\\ud800"'], ['"\\udc00\\ud800"'], ['"a\\u0000"']])('refuses what no database stores: %s', (text) => {
    expect(() => parse(text)).toThrow(JsonFault);
  });

  it('keeps text as it was written', () => {
    expect(parse('"\\ud83d\\ude00 é \\" \\/ \\\\"').value).toBe('😀 é " / \\');
  });

  it.each([
    ['1.0000000000000001', true],
    ['9007199254740993', true],
    ['1e-400', true],
    ['10.000000', false],
    ['1E2', false],
    ['0.1', false],
    ['999999.99', false],
    ['1.5e-3', false],
    [`1.${'0'.repeat(300)}`, false],
    [`1.${'0'.repeat(60_000)}1`, true],
  ])('notes numbers that a double does not hold: %s', (digits, is_inexact) => {
    const { notes } = parse(`{"amount":${digits}}`);
    const told = notes.map(({ field, kind }) => ({ field, kind }));
    expect(told).toEqual(is_inexact ? [{ field: 'amount', kind: 'inexact_number' }] : []);
  });

  it('every double, printed, is exact', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(parse(`{"a":${JSON.stringify(number)}}`).notes).toEqual([]);
      }),
    );
  });

  it('names the key that holds a control character, not the field before it', () => {
    expect(parse('{"a":1,"x\\ny\\u0085":2}').notes).toEqual([
      { field: 'x\\u000ay\\u0085', kind: 'control_character' },
    ]);
    expect(parse('{"a":1,"m":{"x\\ny":2}}').notes).toEqual([
      { field: 'm', kind: 'control_character' },
    ]);
  });

  it.each([['\\n'], ['\\t'], ['\\b'], ['\\u0007'], ['\\u007f'], ['\\u0085'], ['\u007f'], ['\u0090']])(
    'notes control characters: %j',
    (character) => {
      expect(parse(`{"description":"a${character}b"}`).notes).toEqual([
        { field: 'description', kind: 'control_character' },
      ]);
    },
  );
});
