/** Texts around a valid body that RFC 8259 forbids, made by rule: each is one fault of the grammar. */
export const FORBIDDEN_JSON: readonly (readonly [name: string, text: string | Buffer])[] = [
  ...['\u00a0', '\u2028', '\f', '\v', '\ufeff'].map(
    (space) => [`space ${codeOf(space)}`, `${space}{"amount":1}`] as const,
  ),
  ...controlCharacters().map(
    (character) =>
      [`raw ${codeOf(character)} in text`, `{"amount":1,"description":"${character}"}`] as const,
  ),
  ...['\\x', '\\u12', '\\u00G0', "\\'", '\\a', '\\'].map(
    (escape) => [`escape ${escape}`, `{"amount":1,"description":"${escape}"}`] as const,
  ),
  ...[
    '01',
    '-01',
    '1.',
    '.1',
    '+1',
    '1e',
    '1e+',
    '0x1',
    '1_0',
    '--1',
    'Infinity',
    '-Infinity',
    'NaN',
    '1.e1',
    '-',
  ].map((number) => [`number ${number}`, `{"amount":${number}}`] as const),
  ...[
    '{"amount":1',
    '{"amount"1}',
    '{"amount":}',
    '{amount:1}',
    "{'amount':1}",
    '{"amount":1,,"token":"SOL"}',
    '{,"amount":1}',
    '{"amount":1]',
    '{"amount":1}}',
    '{"amount":1}{"amount":1}',
    '{"amount" "x":1}',
    '{:1}',
    '{"a":1 "b":2}',
  ].map((text) => [`structure ${text}`, text] as const),
  ...['tru', 'True', 'nul', 'NULL', 'undefined', 'fals'].map(
    (literal) => [`literal ${literal}`, `{"amount":1,"metadata":{"k":${literal}}}`] as const,
  ),
  ...['// c\n', '/* c */', '# c\n'].map(
    (comment) => [`comment ${comment.trim()}`, `${comment}{"amount":1}`] as const,
  ),
  ...[[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]].map(
    (bytes) =>
      [
        `bytes ${Buffer.from(bytes).toString('hex')}`,
        Buffer.concat([
          Buffer.from('{"amount":1,"description":"'),
          Buffer.from(bytes),
          Buffer.from('"}'),
        ]),
      ] as const,
  ),
  ['UTF-16', Buffer.from('{"amount":1}', 'utf16le')],
];

function controlCharacters(): string[] {
  return Array.from({ length: 32 }, (_, code) => String.fromCharCode(code));
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
