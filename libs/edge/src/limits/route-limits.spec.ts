import {
  ADMIN_TOKEN,
  bearer,
  EdgeStage,
  LIVE_KEY,
  OTHER_KEY,
  paymentId,
  TEST_KEY,
} from '../testing/edge-stage';

const LIST = '/api/v1/payments';
const status = (id: string) => `/api/v1/payments/${id}/status`;

type Ask = () => Promise<{ readonly statusCode: number }>;

async function admittedOf(ask: Ask, times: number): Promise<number> {
  let admitted = 0;
  for (let at = 0; at < times; at += 1) if ((await ask()).statusCode !== 429) admitted += 1;
  return admitted;
}

describe('limits of the API (specification §1.9)', () => {
  it('50 creations, 200 reads and 100 others an hour; both modes share, other merchants do not', async () => {
    const stage = new EdgeStage();
    expect(await admittedOf(() => stage.payments({ amount: 1 }), 30)).toBe(30);
    expect(await admittedOf(() => stage.payments({ amount: 1 }, bearer(LIVE_KEY)), 30)).toBe(20);
    expect(await admittedOf(() => stage.get(LIST), 210)).toBe(200);
    const mint = () =>
      stage.server.inject({ method: 'POST', url: '/api/v1/keys', headers: bearer(TEST_KEY), payload: {} });
    expect(await admittedOf(mint, 110)).toBe(100);
    expect((await stage.get(LIST, bearer(OTHER_KEY))).headers['x-ratelimit-remaining']).toBe('199');
  });

  it('tells clients who run the program themselves how to be rid of it, and no others', async () => {
    const limits = { limits: { creation: 0, read: 0, other: 0 } };
    const own = new EdgeStage({ config: { limits_way_out: ', or start anew' }, holder: limits });
    const told = async (stage: EdgeStage) =>
      (await stage.get(LIST)).json<{ error: string }>().error;
    expect(await told(own)).toMatch(/Try again in \d+ s, or start anew\.$/);
    expect(await told(new EdgeStage({ holder: limits }))).toMatch(/Try again in \d+ s\.$/);
  });

  it('10 webhook tests an hour, in a bucket of their own, crashes included', async () => {
    const before = new EdgeStage();
    const test = (stage: EdgeStage, key: string) =>
      stage.server.inject({ method: 'POST', url: '/api/v1/merchants/me/webhook/test', headers: bearer(key) });
    expect(await admittedOf(() => test(before, TEST_KEY), 6)).toBe(6);
    const after = new EdgeStage({ tables: before.tables });
    expect(await admittedOf(() => test(after, LIVE_KEY), 9)).toBe(4);
    const refused = await test(after, TEST_KEY);
    expect(refused.json()).toMatchObject({ code: 'rate_limit_exceeded', details: {} });
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'retry-after': expect.any(String) });
    expect((await test(after, OTHER_KEY)).statusCode).toBe(200);
  });

  it('a webhook test for which there was no place is not counted, at the second at which it came', async () => {
    let busy = true;
    const stage = new EdgeStage({
      handlers: { testWebhook: (_, reply) => reply.status(busy ? 503 : 200).send({}) },
    });
    const test = () =>
      stage.server.inject({
        ...{ method: 'POST', url: '/api/v1/merchants/me/webhook/test', headers: bearer(TEST_KEY) },
      });
    const remaining = async () => Number((await test()).headers['x-ratelimit-remaining']);
    busy = false;
    expect(await remaining()).toBe(9);
    stage.clock.ms += 60_000;
    busy = true;
    for (let at = 0; at < 20; at += 1) expect(await remaining()).toBe(9);
    busy = false;
    stage.clock.ms += 60_000;
    expect(await admittedOf(test, 10)).toBe(9);
    // The first test leaves after its hour; the refused ones have left no trace.
    stage.clock.ms += 3_600_000 - 120_000 + 1000;
    expect(await admittedOf(test, 10)).toBe(1);
  });

  it('HEAD reads', async () => {
    const stage = new EdgeStage();
    await stage.get(LIST);
    const { headers } = await stage.server.inject({ method: 'HEAD', url: LIST, headers: bearer(TEST_KEY) });
    expect(headers['x-ratelimit-remaining']).toBe('198');
  });

  it('a refusal says when to come back, and does not reach the handler', async () => {
    const stage = new EdgeStage({ holder: { limits: { creation: 1, read: 1, other: 1 } } });
    await stage.payments({ amount: 1 });
    const refused = await stage.payments({ amount: 1 });
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ code: 'rate_limit_exceeded', retry_after: 3601, details: {} });
    expect(refused.headers).toMatchObject({
      'retry-after': '3601',
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
    });
    expect(stage.calls).toBe(1);
  });

  it('refused requests are not counted', async () => {
    const stage = new EdgeStage({ holder: { limits: { creation: 2, read: 1, other: 1 } } });
    await stage.payments({ amount: 1 });
    stage.clock.ms += 1_800_000;
    expect(await admittedOf(() => stage.payments({ amount: 1 }), 20)).toBe(1);
    stage.clock.ms += 1_801_000;
    expect(await admittedOf(() => stage.payments({ amount: 1 }), 20)).toBe(1);
  });

  it('public routes have a bucket per IP and object; a merchant’s is untouched (S12)', async () => {
    const stage = new EdgeStage();
    const first = await stage.get(status(paymentId(1)), {});
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '3600', 'x-ratelimit-remaining': '3599' });
    await stage.get(status(paymentId(1)), {});
    expect((await stage.get(status(paymentId(1)), {})).headers['x-ratelimit-remaining']).toBe('3597');
    expect((await stage.get(status(paymentId(2)), {})).headers['x-ratelimit-remaining']).toBe('3599');
    expect((await stage.get(LIST)).headers['x-ratelimit-remaining']).toBe('199');
    expect(stage.tables.holdings.size).toBe(1);
  });

  it('10,000 guesses at ids: 404, then 429; what was being polled goes on (S20)', async () => {
    const known = paymentId('known');
    const stage = new EdgeStage({
      handlers: {
        getPaymentStatus: (request, reply) =>
          (request.params as { id: string }).id === known ? {} : reply.status(404).send({}),
      },
    });
    await stage.get(status(known), {});
    const seen = new Map<number, number>();
    for (let at = 0; at < 10_000; at += 1) {
      const { statusCode } = await stage.get(status(paymentId(at)), {});
      seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1);
    }
    expect(Object.fromEntries(seen)).toEqual({ 404: 600, 429: 9400 });
    expect((await stage.get(status(known), {})).statusCode).toBe(200);
    expect((await stage.get(status(paymentId('new')), {})).statusCode).toBe(429);
  });

  it('five sign-ups an hour and IP, crashes included', async () => {
    const before = new EdgeStage();
    let forwarded = 0;
    const ask = (stage: EdgeStage) => () =>
      stage.server.inject({
        method: 'POST',
        url: '/api/v1/merchants',
        headers: { 'x-forwarded-for': `203.0.113.${(forwarded += 1)}` },
        payload: { name: 'A', email: 'a@shop.example', business_address: 'Road 1' },
      });
    expect(await admittedOf(ask(before), 3)).toBe(3);
    const after = new EdgeStage({ tables: before.tables });
    expect(await admittedOf(ask(after), 8)).toBe(2);
  });

  it('100 steps of a sign-in an hour and address', async () => {
    const stage = new EdgeStage();
    const ask = (remoteAddress: string) => () =>
      stage.server.inject({
        ...{ method: 'POST', url: '/api/v1/merchants/login/email/start', remoteAddress },
        payload: { email: 'a@shop.example' },
      });
    expect(await admittedOf(ask('203.0.113.7'), 110)).toBe(100);
    expect(await admittedOf(ask('203.0.113.8'), 1)).toBe(1);
  });

  it('no address of a stranger is in a table', async () => {
    const stage = new EdgeStage();
    const urls = ['/api/v1/merchants', '/api/v1/merchants/login/email/start', '/api/v1/merchants/login/start'];
    for (const url of urls) {
      for (const remoteAddress of ['203.0.113.7', '2001:db8::7']) {
        const payload = { name: 'A', email: 'a@shop.example', business_address: 'Road 1' };
        expect((await stage.server.inject({ method: 'POST', url, remoteAddress, payload })).statusCode).toBeLessThan(300);
      }
    }
    const buckets = [...stage.tables.holdings.keys()];
    expect(buckets).toEqual([
      expect.stringMatching(/^sign-up\|[0-9a-f]{32}$/),
      expect.stringMatching(/^sign-up\|[0-9a-f]{32}$/),
    ]);
  });

  it('sign-ups with the admin token take from no bucket; those with another one do', async () => {
    const stage = new EdgeStage();
    const ask = (token: string) => () =>
      stage.server.inject({
        method: 'POST',
        url: '/api/v1/merchants',
        headers: bearer(token),
        payload: { name: 'A', email: 'a@shop.example', business_address: 'Road 1' },
      });
    expect(await admittedOf(ask(ADMIN_TOKEN), 8)).toBe(8);
    expect(await admittedOf(ask(`${ADMIN_TOKEN}x`), 8)).toBe(5);
    expect(await admittedOf(ask(ADMIN_TOKEN), 1)).toBe(1);
  });

  it('RATE_LIMITS=off refuses no request, writes nothing, and still counts', async () => {
    const stage = new EdgeStage({ config: { rate_limits: 'off' } });
    expect(await admittedOf(() => stage.payments({ amount: 1 }), 60)).toBe(60);
    expect((await stage.payments({ amount: 1 })).headers).toMatchObject({
      'x-ratelimit-limit': '50',
      'x-ratelimit-remaining': '0',
    });
    expect(stage.tables.statements).toEqual([]);
  });
});
