import { apiKeyOf, hasApiKeyForm } from './api-key';
import { FIELD_RULES, type FieldRuleName, isBase58Address, isMetadata, isName, isTransactionSignature } from './field-rules';

describe('Solana addresses', () => {
  it.each([
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'So11111111111111111111111111111111111111112',
  ])('%s is one', (text) => expect(isBase58Address(text)).toBe(true));

  it.each([
    '', '11111111111111111111111111111111', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTD',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1vv', '0PjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'IPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', '0x52908400098527886E0F7030069857D2E4169EE7',
    'z'.repeat(44), ' EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  ])('%j is none', (text) => expect(isBase58Address(text)).toBe(false));
});

describe('signatures of transactions', () => {
  it.each(['1'.repeat(63) + '2', 'z'.repeat(87), '4'.repeat(88)])('%s is one', (text) =>
    expect(isTransactionSignature(text)).toBe(true),
  );

  it.each(['', '2'.repeat(64), 'z'.repeat(88), '1'.repeat(64), '0'.repeat(88)])('%j is none', (text) =>
    expect(isTransactionSignature(text)).toBe(false),
  );
});

describe('names', () => {
  it.each(['Corner Shop', 'مقهى الزاوية', 'בית קפה', '角の店', '👩‍👩‍👧‍👦', ' x '])('%j is one', (text) =>
    expect(isName(text)).toBe(true),
  );

  it.each([
    ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'],
    ...['\u200e', '\u200f', '\u061c'],
  ])('with the mark %j it is none', (mark) => expect(isName(`Shop${mark}pohS`)).toBe(false));

  it.each(['', ' ', '\u200b', '\u200d\ufeff', '\u00ad', '\u3164', '\u115f\u1160', '\u2800', '\u00a0', '\ufe0f', 7, null])(
    '%j is none',
    (text) => expect(isName(text)).toBe(false),
  );
});

describe('texts with a form of their own', () => {
  const is = (rule: FieldRuleName) => (value: unknown) => FIELD_RULES[rule].test(value);

  it.each(['order-42', 'Ö42', '注文', 'x'.repeat(100)])('%j names an order', (text) =>
    expect(is('external-id')(text)).toBe(true));
  it.each(['', ' ', 'a b', 'a\u200b', 'a\u202e', 'a\n', 'x'.repeat(101), 7])(
    '%j names none',
    (text) => expect(is('external-id')(text)).toBe(false),
  );

  it.each(['http://s.test', 'https://s.test/a?b=c#d', 'HTTPS://s.test/', 'http://localhost:3000/'])(
    '%j is a page',
    (text) => expect(is('page-url')(text)).toBe(true),
  );
  it.each([
    ...['', 's.test', '//s.test', 'javascript:alert(1)', 'data:text/html,x', 'ftp://s.test', 'http://'],
    ...['https://u:p@s.test', 'https://s.test/a b', 'https:\\\\s.test', `https://s.test/${'x'.repeat(2048)}`],
  ])('%j is none', (text) => expect(is('page-url')(text)).toBe(false));

  it.each([
    ...['2026-05-31T12:00:00Z', '2026-05-31T12:00:00.123+02:00', '2028-02-29T00:00Z'],
  ])('%j is a time', (text) => expect(is('zoned-time')(text)).toBe(true));
  it.each([
    ...['2026-02-30T00:00:00Z', '2026-02-29T00:00:00Z', '2026-05-31T12:00:00', '2026-05-31', '1e9'],
    ...['2026-13-01T00:00:00Z', '2026-01-01T24:00:00Z', '2026-00-10T00:00:00Z', 1_767_225_600],
  ])('%j is none', (text) => expect(is('zoned-time')(text)).toBe(false));

  it.each([
    ...[['2026-05-31', true], ['2028-02-29', true], ['2026-05-31T12:00:00Z', true]],
    ...[['2026-02-30', false], ['2026-5-31', false], ['2026-05-31T12:00:00', false], ['', false]],
  ])('%j as a day or a time: %j', (text, is_bound) =>
    expect(is('day-or-zoned-time')(text)).toBe(is_bound),
  );

  it.each([['GB', true], ['US', true], ['UK', false], ['xx', false], ['gb', false], ['', false]])(
    '%j as a country: %j',
    (code, is_country) => expect(is('country')(code)).toBe(is_country),
  );
});

describe('metadata', () => {
  const keys = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));

  it.each([
    [{}, true],
    [keys(50, 1), true],
    [keys(51, 1), false],
    [{ ['k'.repeat(40)]: 'v'.repeat(500) }, true],
    [{ ['k'.repeat(41)]: 1 }, false],
    [{ k: 'v'.repeat(501) }, false],
    [{ k: { deep: 'v'.repeat(501) } }, false],
    [{ k: '😀'.repeat(500) }, true],
    [keys(40, 'v'.repeat(450)), false],
    [[], false],
    ['x', false],
  ])('%#: %j', (value, is_metadata) => expect(isMetadata(value)).toBe(is_metadata));
});

describe('API keys', () => {
  const key = apiKeyOf('test', Buffer.alloc(32, 7));

  it('have 256 bits in base62 and a checksum', () => {
    expect(key).toMatch(/^svc_test_[0-9A-Za-z]{49}$/);
    expect(hasApiKeyForm(key)).toBe(true);
    expect(apiKeyOf('live', Buffer.alloc(32, 255))).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
  });

  it('a change of any character is found', () => {
    for (let at = 0; at < key.length; at += 1) {
      const changed = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
      expect([changed, hasApiKeyForm(changed)]).toEqual([changed, false]);
    }
  });
});
