import { EdgeStage, paymentId } from './testing/edge-stage';

interface ErrorText {
  readonly code?: string;
  readonly details?: { readonly fields?: readonly { readonly field: string }[] };
}

/** Each case has the number that the bad-input story gives it, too; codes are those of specification §1. */
describe('bad input to POST /payments', () => {
  const stage = new EdgeStage({ config: { rate_limits: 'off' } });
  const amount = (text: string) => stage.payments(`{"amount":${text}}`);
  const answerTo = async (body: unknown, headers?: Record<string, string>) => {
    const calls = stage.calls;
    const { statusCode, body: text } = await stage.payments(body, headers);
    const { code, details } = JSON.parse(text) as ErrorText;
    const fields = details?.fields?.map(({ field }) => field);
    return { status: statusCode, code, fields, handled: stage.calls > calls };
  };
  const invalid = (...fields: string[]) => ({ status: 400, code: 'invalid_parameter', fields, handled: false });
  const missing = (...fields: string[]) => ({ status: 400, code: 'missing_required_field', fields, handled: false });

  it.each([
    'NaN', '1e400', '-1e400', '0x10', '+1', '01', '.5', '1.', // 1, 2, 3, 18: not JSON
  ])('raw %s as a number', async (text) => {
    expect(await answerTo(`{"amount":${text}}`)).toEqual(invalid('body'));
  });

  it.each([
    '0', '-0', '-5', '1e-400', '0.0000001', '0.001', '1.0000000000000001', '10.005', '9007199254740993.001', // 4–8, 10, 21
    '"10"', '""', 'true', '[10]', '{"$gt":0}', '"١٠"', // 11–13, 15, 16, 19
  ])('amount %s', async (text) => {
    expect(await answerTo(`{"amount":${text}}`)).toEqual(invalid('amount'));
  });

  it.each([
    ['10.000000', 10], // 20
    ['1E2', 100], // 22
    ['0.01', 0.01],
    ['999999.99', 999_999.99],
    ['1e308', 1e308], // 9: the merchant's maximum is a rule of payments
    ['9007199254740993', 9_007_199_254_740_992], // 10: above it, whatever the last digit
  ])('amount %s is read by value', async (text, value) => {
    const { statusCode, body } = await amount(text);
    expect(statusCode).toBe(200);
    expect((JSON.parse(body) as { body: { amount: number } }).body.amount).toBe(value);
  });

  it('absent or null where a field is required (14, 17)', async () => {
    expect(await answerTo({})).toEqual(missing('amount'));
    expect(await answerTo({ amount: null })).toEqual(missing('amount'));
    expect(await answerTo({ amount: null, currency: 'XYZ' })).toEqual(invalid('amount', 'currency'));
  });

  it('null is absent where a field is optional (specification §1.13)', async () => {
    const { body } = await stage.payments({ amount: 1, currency: null, metadata: { a: null } });
    const { body: read } = JSON.parse(body) as { body: object };
    expect(read).toEqual({ amount: 1, metadata: { a: null } });
  });

  it.each([
    ['', 'empty'], // 23
    ['[]', 'a list'], // 24
    ['"x"', 'a text'],
    ['null', 'null'],
    ['{"amount":1,}', 'a trailing comma'], // 25
    ['{"amount":1}x', 'garbage behind'],
    ['{"amount":1,"amount":1000}', 'a key twice'], // 26
    ['{"amount":1,"__proto__":{}}', '__proto__'], // 28
    ['{"amount":1,"constructor":{"prototype":{}}}', 'constructor'], // 29
    ['{"amount":1,"metadata":{"__proto__":{"polluted":1}}}', 'metadata.__proto__'], // 30
    [`{"amount":1,"metadata":${'['.repeat(100_000)}`, 'deep nesting'], // 32 (beyond 64 KiB: 413 is right too)
    ['{"amount":1,"description":"\\ud800"}', 'half a surrogate pair'], // 38
    ['{"amount":1,"description":"\\u0000"}', 'NUL'], // 48
  ])('%s: %s', async (text) => {
    const { status, code, handled } = await answerTo(text);
    expect([status, code]).toEqual(
      text.length > 65_536 ? [413, 'payload_too_large'] : [400, 'invalid_parameter'],
    );
    expect(handled).toBe(false);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('an unknown field is ignored and named (27)', async () => {
    const { headers, body } = await stage.payments({ amount: 1, amuont: 2, 'x\r\ny': 3, ünï: 4 });
    expect(headers['x-svc-ignored-fields']).toBeUndefined();
    expect((JSON.parse(body) as { code: string }).code).toBe('invalid_parameter');
    const plain = await stage.payments({ amount: 1, amuont: 2, ünï: 4 });
    expect(plain.statusCode).toBe(200);
    expect(plain.headers['x-svc-ignored-fields']).toBe('amuont, %C3%BCn%C3%AF');
    expect((JSON.parse(plain.body) as { body: object }).body).toEqual({ amount: 1 });
  });

  it('a field that is not built yet is refused', async () => {
    expect(await answerTo({ amount: 1, split_recipients: [{}] })).toEqual(invalid('split_recipients'));
    expect((await stage.payments({ amount: 1, split_recipients: null })).statusCode).toBe(200);
  });

  it('65,537 bytes are too many (33)', async () => {
    const body = JSON.stringify({ amount: 1, description: '' });
    const padded = (bytes: number) => body + ' '.repeat(bytes - body.length);
    expect(await answerTo(padded(65_537))).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect((await stage.payments(padded(65_536))).statusCode).toBe(200);
  });

  it.each([[Buffer.from([0x7b, 0xff, 0x7d])], [Buffer.from('\uFEFF{"amount":1}')], [Buffer.from('{"amount":1}', 'utf16le')]])(
    'bytes that are not plain UTF-8 (36, 37)',
    async (bytes) => {
      expect(await answerTo(bytes)).toEqual(invalid('body'));
    },
  );

  it.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/xml' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-type': 'multipart/form-data; boundary=x' }],
    [{ 'content-type': 'application/json; charset=utf-7' }], // 40
    [{ 'content-type': 'application/json; charset=utf-8; x=y' }],
    [{ 'content-type': 'application/jsonp' }],
    [{ 'content-type': '' }],
    [{ 'content-encoding': 'gzip' }], // 41
    [{ 'content-encoding': 'identity, gzip' }],
  ])('415 for %j (39)', async (headers) => {
    expect(await answerTo({ amount: 1 }, headers as Record<string, string>)).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
      handled: false,
    });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'reads %s',
    async (type) => {
      expect((await stage.payments({ amount: 1 }, { 'content-type': type })).statusCode).toBe(200);
    },
  );

  it.each([
    [{ currency: 'usd' }, 'currency'], // 44
    [{ currency: 'USDX' }, 'currency'],
    [{ currency: '' }, 'currency'],
    [{ currency: 3 }, 'currency'],
    [{ token: 'BTC' }, 'token'], // 45
    [{ description: 'x'.repeat(501) }, 'description'], // 46
    [{ description: 'a\nb' }, 'description'],
    [{ metadata: [] }, 'metadata'], // 52
    [{ metadata: 'x' }, 'metadata'],
    [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 1])) }, 'metadata'], // 51
    [{ metadata: { ['k'.repeat(41)]: 1 } }, 'metadata'],
    [{ metadata: { k: 'v'.repeat(501) } }, 'metadata'],
    [{ metadata: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`k${at}`, 'v'.repeat(450)])) }, 'metadata'],
    [{ customer_email: 'a@b.com\r\nBcc: x@y.com' }, 'customer_email'], // 54
    [{ customer_email: '"x@evil.com y"@good.com' }, 'customer_email'], // 55
    [{ customer_email: 'a@good.com(x)evil.com' }, 'customer_email'],
    [{ customer_email: `${'a'.repeat(250)}@b.com` }, 'customer_email'], // 56
    [{ customer_email: `${'a.'.repeat(120)}@` }, 'customer_email'],
    [{ webhook_url: 5 }, 'webhook_url'],
  ])('%j', async (fields, field) => {
    expect(await answerTo({ amount: 1, ...fields })).toEqual(invalid(field));
  });

  it('plain data stays as it is (47, 50, 53, 102)', async () => {
    const metadata = { constructor: 'a', toString: 'b', '$where': "' OR 1=1--", ünï: '👩‍👩‍👧‍👦é' };
    const description = '<script>alert(1)</script> 👩‍👩‍👧‍👦é';
    const { statusCode, body } = await stage.payments({ amount: 1, description, metadata });
    expect(statusCode).toBe(200);
    const { body: read } = JSON.parse(body) as { body: unknown };
    expect(read).toEqual({ amount: 1, description, metadata });
  });

  it('says in a sentence what is wrong, and where', async () => {
    const { body } = await stage.payments({ amount: 'x', currency: 'BTC' });
    expect(JSON.parse(body)).toEqual({
      correlation_id: expect.any(String),
      error:
        'amount must be a JSON number above 0 with at most 2 decimals, in USD, EUR and GBP alike; "x" was read; currency must be one of USD, EUR, GBP.',
      code: 'invalid_parameter',
      details: {
        fields: [
          {
            field: 'amount',
            message: 'must be a JSON number above 0 with at most 2 decimals, in USD, EUR and GBP alike; "x" was read',
          },
          { field: 'currency', message: 'must be one of USD, EUR, GBP' },
        ],
      },
    });
  });
});

describe('an amount with too many decimals', () => {
  const stage = new EdgeStage();
  it.each([
    ['10.555', '10.555 was read, the nearest with at most 2 decimals is 10.56'],
    ['0.001', '0.001 was read, the nearest with at most 2 decimals is 0.01'],
    ['1.0000000000000001', '1.0000000000000001 was read, the nearest with at most 2 decimals is 1'],
    [`1.${'0'.repeat(60)}1`, `1.${'0'.repeat(38)}… was read, the nearest with at most 2 decimals is 1`],
    // Not said to pass: it is above what a merchant may take.
    ['999999.996', '999999.996 was read, the nearest with at most 2 decimals is 1000000'],
    ['-1.005', '-1.005 was read'],
  ])('%s is answered with what was read and the nearest with fewer', async (amount, told) => {
    const { statusCode, body } = await stage.payments(`{"amount": ${amount}}`);
    const { details } = JSON.parse(body) as { details: { fields: object[] } };
    const rule = 'must be a JSON number above 0 with at most 2 decimals, in USD, EUR and GBP alike';
    expect([statusCode, details.fields]).toEqual([400, [{ field: 'amount', message: `${rule}; ${told}` }]]);
  });
});

describe('bad queries and paths', () => {
  const stage = new EdgeStage({ config: { rate_limits: 'off' } });
  const codeOf = async (url: string) => {
    const { statusCode, body } = await stage.get(url);
    return [statusCode, (JSON.parse(body) as { code?: string }).code];
  };

  it.each([
    'limit=-1', 'limit=0', 'limit=101', 'limit=1e9', 'limit=abc', 'limit=10;DROP', 'limit=', 'limit=1.5', 'limit=+1', // 98
    'offset=-1', `offset=${2n ** 63n}`, // 99
    'limit=1&limit=2', 'status[$ne]=x', `${'a[]=&'.repeat(3000)}`, 'limit=%zz', 'x=%00', 'x=%0a', // 100
  ])('?%.60s', async (query) => {
    expect(await codeOf(`/api/v1/payments?${query}`)).toEqual([400, 'invalid_parameter']);
  });

  it.each([
    'yesterday', '2026-01-01', '2026-01-01T00:00:00', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z',
    '1767225600', '', '2026-01-01T00:00:00+01:00',
  ])('?as_of=%s', async (time) => {
    const { statusCode, body } = await stage.get(`/api/v1/payments/${paymentId(1)}?as_of=${time}`);
    const { code, details } = JSON.parse(body) as ErrorText;
    expect([statusCode, code, details?.fields?.[0]?.field]).toEqual([400, 'invalid_parameter', 'as_of']);
  });

  it.each(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00%2B01:00'])(
    'reads ?as_of=%s',
    async (time) => {
      expect((await stage.get(`/api/v1/payments/${paymentId(1)}?as_of=${time}`)).statusCode).toBe(200);
    },
  );

  it('reads a page, and lets unknown names be', async () => {
    const { statusCode, body } = await stage.get('/api/v1/payments?limit=100&offset=0&page=3');
    expect(statusCode).toBe(200);
    expect((JSON.parse(body) as { query: unknown }).query).toEqual({ limit: 100, offset: 0 });
  });

  it.each([
    ['/api/v1/payments/..%2f..%2fadmin', 404], // 76
    ['/api/v1/payments/%2e%2e%2f', 404],
    ['/api/v1/payments/..%00', 400],
    ['/api/v1/payments/a%0d%0aSet-Cookie:%20x', 400], // 106
    ['/api/v1/payments/%ff', 400],
    ['/api/v1/payments/%', 400],
    [`/api/v1/payments/${'a'.repeat(10_000)}`, 404],
    ['/api/v1/payments/%7Bid%7D', 404], // 77
    ['/API/v1/payments', 404],
    ['/api/v1/payments/', 404],
    ['//api/v1/payments', 404],
  ])('%.60s', async (url, status) => {
    const [answered, code] = await codeOf(url);
    expect([answered, code]).toEqual([status, status === 404 ? 'not_found' : 'invalid_parameter']);
  });
});
