import { hexSignature } from '../sign-delivery/sign-delivery';
import { verifySignature } from './verify-signature';

const WALL = 1_800_000_000_000;
const NOW_S = WALL / 1000;
const BODY = '{"a":"ä\\n"}';
const v1 = (t: number | string, secret = 'whsec_one') => `v1=${hexSignature(secret, t, BODY)}`;
const verify = (header: string, payload = BODY) =>
  verifySignature(header, payload, ['whsec_one', 'whsec_two'], WALL);

test.each([
  ['now', 0],
  ['300 s old', 300],
  ['60 s ahead', -60],
])('a signature that is %s holds', (_, age) => {
  const t = NOW_S - age;
  expect(verify(`t=${t},${v1(t)}`)).toEqual({
    valid: true,
    message: 'The signature is valid.',
    timestamp_age_seconds: age,
  });
});

test('either secret, and any of several signatures, will do', () => {
  expect(verify(`t=${NOW_S},${v1(NOW_S, 'whsec_two')}`).valid).toBe(true);
  expect(verify(`t=${NOW_S},v1=${'0'.repeat(64)},${v1(NOW_S)}`).valid).toBe(true);
});

test.each([
  ['too old', `t=${NOW_S - 301},${v1(NOW_S - 301)}`, 301],
  ['too far ahead', `t=${NOW_S + 61},${v1(NOW_S + 61)}`, -61],
])('a signature that is %s does not', (_, header, timestamp_age_seconds) => {
  expect(verify(header)).toMatchObject({ valid: false, timestamp_age_seconds });
});

test.each([
  ['two times', `t=${NOW_S},t=${NOW_S},${v1(NOW_S)}`],
  ['upper-case hex', `t=${NOW_S},${v1(NOW_S).toUpperCase().replace('V1', 'v1')}`],
  ['no v1', `t=${NOW_S}`],
  ['no time', v1(NOW_S)],
  ['another secret', `t=${NOW_S},${v1(NOW_S, 'whsec_three')}`],
  ['another time', `t=${NOW_S},${v1(NOW_S - 1)}`],
  ['nothing', ''],
  ['a time that is no number', `t=now,${v1('now')}`],
  ['half a signature', `t=${NOW_S},${v1(NOW_S).slice(0, 40)}`],
])('%s is not valid, and the answer does not say why', (_, header) => {
  expect(verify(header)).toMatchObject({ valid: false, message: 'The signature does not match.' });
});

test('another body is not valid', () => {
  expect(verify(`t=${NOW_S},${v1(NOW_S)}`, `${BODY} `).valid).toBe(false);
});
