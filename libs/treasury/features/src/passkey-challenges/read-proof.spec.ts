import { readProof } from './read-proof';

const bytes = Buffer.from([0, 251, 255, 62, 63, 1, 2]);
const encodings: readonly unknown[] = [
  [...bytes],
  bytes.toString('base64'),
  bytes.toString('base64').replace(/=+$/, ''),
  bytes.toString('base64url'),
];
const whole = (value: unknown, credential_id: unknown = 'AQID') => ({
  ...{ credential_id, authenticator_data: value, client_data_json: value, signature: value },
});

test.each(encodings)('the same bytes however they are written: %j', (value) => {
  const text = bytes.toString('base64url');
  expect(readProof(whole(value))).toEqual({
    ...{ credential_id: 'AQID', authenticator_data: text, client_data_json: text, signature: text },
  });
});

test.each<[string, unknown]>([
  ['300 in a list', [300]],
  ['-1 in a list', [-1]],
  ['a fraction in a list', [0.5]],
  ['a text in a list', ['1']],
  ['an empty list', []],
  ['an empty text', ''],
  ['a letter that base64 does not have', 'A*AA'],
  ['a padding in the middle', 'A=AA'],
  ['bits behind the last byte', 'AB'],
  ['too much', Array.from({ length: 4_097 }, () => 1)],
  ['null', null],
  ['an object', { 0: 1 }],
  ['nothing', undefined],
])('%s is malformed', (_, value) => {
  for (const field of ['authenticator_data', 'client_data_json', 'signature']) {
    expect(readProof({ ...whole('AQID'), [field]: value })).toBeNull();
  }
});

test.each([undefined, '', 7, 'A*', [1]])('a credential_id %j is malformed', (credential_id) => {
  expect(readProof({ ...whole('AQID'), credential_id })).toBeNull();
});
