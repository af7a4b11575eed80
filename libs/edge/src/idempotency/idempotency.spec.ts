import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeIds, newId, uuidIds } from '@tender/contracts';
import { ApiError } from '@tender/http';
import { bearer, EdgeStage, LIVE_KEY, OTHER_KEY, TEST_KEY } from '../testing/edge-stage';

const DAY_MS = 24 * 60 * 60 * 1000;
const key = (value: string) => ({ 'idempotency-key': value });

/** Answers with a number that no other call gets. */
function counting() {
  let calls = 0;
  return (request: FastifyRequest) => {
    calls += 1;
    return { call: calls, command: request.tender.command_id, seed: request.tender.id_seed };
  };
}
const refusing = (status: number) => {
  let calls = 0;
  return () => {
    calls += 1;
    throw new ApiError(status, 'some_code', `call ${calls}`);
  };
};

describe('Idempotency-Key (specification §1.8)', () => {
  const stageWith = (createPayment: (request: FastifyRequest, reply: FastifyReply) => unknown) =>
    new EdgeStage({ config: { rate_limits: 'off' }, handlers: { createPayment } });

  it('the same request gets the first answer, byte for byte', async () => {
    const stage = stageWith(counting());
    const first = await stage.payments('{"amount":10,"currency":"USD"}', key('k'));
    const again = await stage.payments('{ "currency":"USD", "amount":1E1 }', key('k'));
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect([again.statusCode, again.body, again.headers['content-type']]).toEqual([
      first.statusCode, first.body, first.headers['content-type'],
    ]);
    expect(stage.calls).toBe(1);
  });

  it('also once the answer is only in the table, also after a restart', async () => {
    const stage = stageWith(counting());
    const first = await stage.payments({ amount: 10, typo: 1 }, key('k'));
    await stage.edge.idle();
    const handlers = { createPayment: counting() };
    const restarted = new EdgeStage({ tables: stage.tables, handlers });
    const again = await restarted.payments({ amount: 10, typo: 1 }, key('k'));
    expect([again.body, again.headers['x-svc-ignored-fields']]).toEqual([first.body, 'typo']);
    expect(restarted.calls).toBe(0);
  });

  it('a crash before it was stored leaves the same ids to the next try', async () => {
    const before = stageWith(counting());
    const after = stageWith(counting());
    const [first, second] = [
      await before.payments({ amount: 10 }, key('k')),
      await after.payments({ amount: 10 }, key('k')),
    ];
    expect(second.json()).toEqual(first.json());
    const other = await after.payments({ amount: 10 }, key('other'));
    const commandOf = (answer: typeof other) => answer.json<{ command: string }>().command;
    expect(commandOf(other)).not.toBe(commandOf(first));
  });

  it('without a key every request is its own', async () => {
    const stage = stageWith(counting());
    const seeds = [await stage.payments({ amount: 1 }), await stage.payments({ amount: 1 })].map(
      (answer) => answer.json<{ seed: string }>().seed,
    );
    expect(new Set(seeds).size).toBe(2);
    expect(seeds[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ['another body', { amount: 11 }, '/api/v1/payments'],
    ['another query', { amount: 10 }, '/api/v1/payments?x=1'],
  ])('%s under the same key: 409 idempotency_key_reused', async (_, payload, url) => {
    const stage = stageWith(counting());
    await stage.payments({ amount: 10 }, key('k'));
    const { statusCode, body } = await stage.server.inject({
      method: 'POST', url, payload, headers: { ...bearer(TEST_KEY), ...key('k') },
    });
    expect([statusCode, (JSON.parse(body) as { code: string }).code]).toEqual([409, 'idempotency_key_reused']);
    expect(stage.calls).toBe(1);
  });

  it('another merchant, another mode and another route have keys of their own (S14)', async () => {
    const stage = stageWith(counting());
    const bodies = [];
    for (const one of [TEST_KEY, LIVE_KEY, OTHER_KEY]) {
      bodies.push((await stage.payments({ amount: 10 }, { ...key('k'), ...bearer(one) })).body);
    }
    expect(new Set(bodies).size).toBe(3);
    const other_route = await stage.server.inject({
      method: 'POST', url: '/api/v1/keys', payload: { mode: 'test' }, headers: { ...bearer(TEST_KEY), ...key('k') },
    });
    expect(other_route.statusCode).toBe(201);
    expect(other_route.headers['idempotency-replayed']).toBeUndefined();
  });

  it('fifty at once: one effect, the gateway asks the rest to wait (89)', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const stage = stageWith(async () => {
      await opened;
      return { done: true };
    });
    let answered = 0;
    const asked = Array.from({ length: 50 }, async () => {
      const answer = await stage.payments({ amount: 10 }, key('k'));
      answered += 1;
      if (answered === 49) open();
      return answer;
    });
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused).toHaveLength(49);
    for (const { statusCode, headers, body } of refused) {
      expect([statusCode, headers['retry-after']]).toEqual([409, '1']);
      expect(body).toContain('"idempotency_in_flight"');
    }
    expect(stage.calls).toBe(1);
    expect((await stage.payments({ amount: 10 }, key('k'))).headers['idempotency-replayed']).toBe('true');
  });

  it.each([400, 402, 422])('a %i is final', async (status) => {
    const stage = stageWith(refusing(status));
    const first = await stage.payments({ amount: 10 }, key('k'));
    const again = await stage.payments({ amount: 10 }, key('k'));
    expect([again.statusCode, again.body, again.headers['idempotency-replayed']]).toEqual([status, first.body, 'true']);
  });

  it.each([401, 404, 409, 429, 500, 503])('a %i is decided anew', async (status) => {
    const stage = stageWith(refusing(status));
    await stage.payments({ amount: 10 }, key('k'));
    const again = await stage.payments({ amount: 10 }, key('k'));
    expect(again.headers['idempotency-replayed']).toBeUndefined();
    expect(stage.calls).toBe(2);
  });

  it('a refused field is the key’s answer too', async () => {
    const stage = stageWith(counting());
    await stage.payments({ amount: -1 }, key('k'));
    expect((await stage.payments({ amount: -1 }, key('k'))).headers['idempotency-replayed']).toBe('true');
    expect((await stage.payments({ amount: 1 }, key('k'))).json()).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('after 24 h of business time the key is new, with new ids, and the old answer is gone', async () => {
    const stage = stageWith(counting());
    const first = (await stage.payments({ amount: 10 }, key('k'))).json<{ command: string }>();
    await stage.edge.idle();
    stage.clock.ms += DAY_MS - 1;
    expect((await stage.payments({ amount: 10 }, key('k'))).headers['idempotency-replayed']).toBe('true');
    stage.clock.ms += 1;
    const second = await stage.payments({ amount: 99 }, key('k'));
    expect(second.statusCode).toBe(200);
    expect(second.json<{ command: string }>().command).not.toBe(first.command);
    await stage.edge.idle();
    stage.clock.ms += DAY_MS;
    await stage.payments({ amount: 10 }, key('another'));
    await stage.edge.idle();
    const rows = [...stage.tables.answers.values()];
    expect(rows.filter(({ sealed }) => sealed === null)).toHaveLength(1);
  });

  it('neither key nor answer is kept in clear', async () => {
    const stage = stageWith(() => ({ secret: 'whsec_canary' }));
    await stage.payments({ amount: 10 }, key('my-own-words'));
    await stage.edge.idle();
    const kept = JSON.stringify([...stage.tables.answers.values()]);
    expect(kept).not.toContain('my-own-words');
    expect(kept).not.toContain('whsec_canary');
  });

  it('a table that cannot be written costs no answer; one that cannot be read is 503', async () => {
    const stage = stageWith(counting());
    stage.tables.fails = true;
    expect((await stage.payments({ amount: 10 }, key('k'))).statusCode).toBe(503);
    expect(stage.calls).toBe(0);
    stage.tables.fails = false;
    expect((await stage.payments({ amount: 10 }, key('k'))).statusCode).toBe(200);
  });

  it.each([[''], ['x'.repeat(256)], ['a b'], ['ключ'], ['a\tb']])('key %j is refused (92)', async (value) => {
    const stage = stageWith(counting());
    const { statusCode, body } = await stage.payments({ amount: 10 }, key(value));
    expect([statusCode, (JSON.parse(body) as { code: string }).code]).toEqual([400, 'invalid_parameter']);
    expect(stage.calls).toBe(0);
  });

  it('255 visible characters are a key', async () => {
    expect((await stageWith(counting()).payments({ amount: 10 }, key('~'.repeat(255)))).statusCode).toBe(200);
  });

  describe('without a credential: the object is the scope', () => {
    const bytes = Buffer.alloc(16, 0xee);
    const [code, id] = [newId(codeIds, 'live', bytes), newId(uuidIds, 'live', bytes)];
    const stage = new EdgeStage({ handlers: { payPaymentLink: counting() } });
    const pay = (name: string) =>
      stage.server.inject({ method: 'POST', url: `/api/v1/payment-links/${name}/pay`, headers: key('k') });

    it('whichever of its names it is called by, and however that is written', async () => {
      const first = await pay(code);
      for (const name of [id, `%6c${code.slice(1)}`, id.toUpperCase()]) {
        const { statusCode, body } = await pay(name);
        expect([statusCode, (JSON.parse(body) as { code: string }).code]).toEqual([409, 'idempotency_key_reused']);
      }
      const again = await pay(code);
      expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
      expect(stage.calls).toBe(1);
    });

    it('another object has keys of its own', async () => {
      const other = newId(codeIds, 'live', Buffer.alloc(16, 0xef));
      expect((await pay(other)).headers['idempotency-replayed']).toBeUndefined();
      expect(stage.calls).toBe(2);
    });

    it('and both names share what a stranger may ask of it', async () => {
      const left = async (name: string) => Number((await pay(name)).headers['x-ratelimit-remaining']);
      expect((await left(code)) - (await left(id))).toBe(1);
    });
  });

  it('sign-up: the e-mail is the scope', async () => {
    let calls = 0;
    const stage = new EdgeStage({ handlers: { createMerchant: () => ({ call: (calls += 1) }) } });
    const ask = (email: string) =>
      stage.server.inject({
        method: 'POST', url: '/api/v1/merchants', headers: key('k'),
        payload: { name: 'A', email, business_address: 'Road 1' },
      });
    const first = await ask('a@shop.example');
    expect((await ask('b@shop.example')).body).not.toBe(first.body);
    expect((await ask('a@shop.example')).headers['idempotency-replayed']).toBe('true');
  });
});
