import { hmacSeal } from './hmac-seal';

let wall_ms = 1_700_000_000_000;
const clock = { wall: () => wall_ms };
const seal = hmacSeal({ secret: 'a secret of all processes, long enough', clock });
const request = { method: 'POST', url: '/api/v1/payments?x=1', body: Buffer.from('{"amount":1}') };
const said = { merchant_id: 'm-1', correlation_id: 'ü-7', min_position: null };

beforeEach(() => {
  wall_ms = 1_700_000_000_000;
});

test('what was said is heard as it was said', () => {
  expect(seal.open(request, seal.seal(request, said))).toEqual(said);
  const bare = { ...request, body: null };
  expect(seal.open(bare, seal.seal(bare, said))).toEqual(said);
});

test.each([
  ['method', { ...request, method: 'GET' }],
  ['url', { ...request, url: '/api/v1/payments?x=2' }],
  ['body', { ...request, body: Buffer.from('{"amount":2}') }],
  ['missing body', { ...request, body: null }],
])('a seal does not hold for another %s', (_, other) => {
  expect(seal.open(other, seal.seal(request, said))).toBeNull();
});

test('a seal under another secret, a changed statement, rubbish and nothing are not believed', () => {
  const header = seal.seal(request, said);
  const [text = '', mac = ''] = header.split('.');
  const lie = Buffer.from(JSON.stringify({ said: { merchant_id: 'm-2' }, sealed_ms: wall_ms }));
  const stranger = hmacSeal({ secret: 'another secret, which is as long as it', clock });
  expect(seal.open(request, stranger.seal(request, said))).toBeNull();
  expect(seal.open(request, `${lie.toString('base64url')}.${mac}`)).toBeNull();
  expect(seal.open(request, `${text}.${mac.slice(1)}`)).toBeNull();
  for (const rubbish of [undefined, '', '.', 'x', 'x.y', `${text}.`, `.${mac}`]) {
    expect(seal.open(request, rubbish)).toBeNull();
  }
});

test('a seal holds for half a minute, and for as long as clocks may differ', () => {
  const header = seal.seal(request, said);
  wall_ms += 330_000;
  expect(seal.open(request, header)).toEqual(said);
  wall_ms += 1;
  expect(seal.open(request, header)).toBeNull();
  wall_ms -= 630_001;
  expect(seal.open(request, header)).toEqual(said);
  wall_ms -= 1;
  expect(seal.open(request, header)).toBeNull();
});
