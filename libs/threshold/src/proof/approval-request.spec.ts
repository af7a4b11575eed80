import {
  approvalUrl,
  base64url,
  bytesOfBase64url,
  challengeFor,
  challengeText,
  readApproval,
  readChallenge,
  type ProvenOperation,
} from '../index';

const of_wallet = { merchant_id: 'merchant-1', mode: 'test', wallet: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' } as const;
const of_passkey = { merchant_id: 'merchant-1', credential_id: 'AQID' };
const UNFREEZE: ProvenOperation = { type: 'unfreeze_operating_wallet', ...of_wallet };
const LIMIT: ProvenOperation = { type: 'set_operating_wallet_limits', ...of_wallet, per_day_cents: 500 };
const ALL: readonly ProvenOperation[] = [
  UNFREEZE,
  LIMIT,
  { type: 'pin_passkey', ...of_passkey, public_key: 'pAEB' },
  { type: 'unpin_passkey', ...of_passkey },
];
const nonce = '0123456789abcdef'.repeat(2);
const expires_ms = 1_800_000_000_123;
const challengeOf = (operation: ProvenOperation, ends = expires_ms) =>
  challengeText(challengeFor(operation, { nonce, expires_ms: ends }));
/** Two minutes before its end. */
const read = (fragment: string) => readApproval(fragment, expires_ms - 120_000);
const fragmentOf = (value: unknown): string => base64url(Buffer.from(JSON.stringify(value)));

test.each(ALL.map((operation) => [operation.type, operation] as const))('a request to %s comes as it went', (_, operation) => {
  const challenge = challengeOf(operation);
  const url = new URL(approvalUrl('https://approve.example', { operation, challenge }));
  expect([url.origin, url.pathname, url.search]).toEqual(['https://approve.example', '/approve', '']);
  expect(read(url.hash.slice(1))).toEqual({ operation, challenge, expires_ms });
});

describe('S35: what is shown is what is signed', () => {
  const others: readonly ProvenOperation[] = [
    { ...LIMIT, per_day_cents: 501 },
    { ...LIMIT, mode: 'live' },
    { ...LIMIT, wallet: '11111111111111111111111111111111' },
    { ...LIMIT, merchant_id: 'merchant-2' },
    UNFREEZE,
  ];
  test.each(others)('the challenge of something else is not that of %j', (operation) => {
    expect(read(fragmentOf({ operation, challenge: challengeOf(LIMIT) }))).toBe('altered');
  });

  test('nor one with a later end', () => {
    const later = readChallenge(challengeOf(LIMIT, expires_ms + 1))!;
    const { digest } = readChallenge(challengeOf(LIMIT))!;
    const challenge = challengeText({ ...later, digest });
    expect(read(fragmentOf({ operation: LIMIT, challenge }))).toBe('altered');
  });

  test.each([10 * 60_000, 30 * 24 * 3_600_000, 2 ** 52])('nor is one signed ahead of time, by %d ms', (ms) => {
    const challenge = challengeOf(LIMIT, expires_ms + ms);
    expect(read(fragmentOf({ operation: LIMIT, challenge }))).toBe('altered');
  });
});

const challenge = challengeOf(UNFREEZE);
test.each<[string, unknown]>([
  ['no operation', { challenge }],
  ['no challenge', { operation: UNFREEZE }],
  ['more than both', { operation: UNFREEZE, challenge, note: 'harmless' }],
  ['an operation of an unknown kind', { operation: { ...UNFREEZE, type: 'close' }, challenge }],
  ['an operation of a kind that all objects have', { operation: { ...UNFREEZE, type: 'constructor' }, challenge }],
  ['an operation that is none', { operation: null, challenge }],
  ['a field too many', { operation: { ...UNFREEZE, to: 'x' }, challenge }],
  ['a field too few', { operation: { ...UNFREEZE, wallet: undefined }, challenge }],
  ['another mode', { operation: { ...UNFREEZE, mode: 'dev' }, challenge }],
  ['an id that shows as something else', { operation: { ...UNFREEZE, merchant_id: 'a\u202Eb' }, challenge }],
  ['an amount that is a text', { operation: { ...LIMIT, per_day_cents: '5' }, challenge }],
  ['an amount of nothing', { operation: { ...LIMIT, per_day_cents: 0 }, challenge }],
  ['a fraction of a cent', { operation: { ...LIMIT, per_day_cents: 0.5 }, challenge }],
  ['a challenge of another form', { operation: UNFREEZE, challenge: challenge.slice(4) }],
  ['a list', []],
  ['null', null],
])('%s is malformed', (_, value) => expect(read(fragmentOf(value))).toBe('malformed'));

test.each(['', 'x', '####', base64url(Buffer.from('{')), base64url(Buffer.from([0xff, 0xfe])), `${fragmentOf({})}=`])(
  'so is the fragment "%s"',
  (text) => expect(read(text)).toBe('malformed'),
);

test('a challenge is the bytes that signers read', () => {
  const bytes = Buffer.from(challenge, 'base64url');
  expect(bytes).toHaveLength(56);
  expect(bytes.toString('hex', 0, 16)).toBe(nonce);
  expect(Number(bytes.readBigUInt64BE(16))).toBe(expires_ms);
  expect(readChallenge(challenge)).toMatchObject({ nonce, expires_ms });
});

test('bytes have one text', () => {
  for (const length of [1, 2, 3, 61, 62, 63]) {
    const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 89 + 250) % 256));
    expect(base64url(bytes)).toBe(bytes.toString('base64url'));
    expect(Buffer.from(bytesOfBase64url(base64url(bytes))!)).toEqual(bytes);
  }
  for (const text of ['', 'A', 'AB', 'AA==', '+/+/', 'A A', 7, null]) expect(bytesOfBase64url(text)).toBeNull();
});
