import { newId, prefixedIds, route } from '@tender/contracts';
import { MODES, type Mode } from '@tender/kernel';
import { IsOptional, IsString } from 'class-validator';
import { bearer, EdgeStage, LIVE_KEY, type Handler } from '../testing/edge-stage';

class Subscribing {
  @IsString() plan_id!: string;
  @IsOptional() @IsString() wallet?: string;
}

const planIds = prefixedIds('plan', 'first id');
const subscribe = route({
  ...{ id: 'subscribeByBody', method: 'POST', path: '/api/v1/made_up_subscriptions' },
  ...{ context: 'payments', auth: 'key_or_nobody', limit: 'other', idempotent: true },
  ...{ body: Subscribing, body_object: { field: 'plan_id', kind: planIds } },
  ...{ answers: { 200: null }, refusals: [], summary: 'A route of this spec', tag: 'Plans' },
});
const plan = (mode: Mode, byte = 7) => newId(planIds, mode, Buffer.alloc(16, byte));
let edge: EdgeStage;
beforeAll(() => {
  edge = new EdgeStage({ routes: [subscribe] });
});

async function send(body: object, headers: object = {}) {
  const url = subscribe.path;
  const sending = { method: 'POST', url, headers: { ...headers }, payload: body } as const;
  const answer = await edge.server.inject(sending);
  const { statusCode, headers: sent } = answer;
  return { status: statusCode, mode: sent['x-svc-mode'], sent, json: answer.json() };
}

test.each(MODES)('the object that a stranger’s body names says the mode: %s', async (mode) => {
  const { status, mode: told, json } = await send({ plan_id: plan(mode) });
  expect([status, told, json.caller.mode]).toEqual([200, mode, mode]);
  expect(json.caller).toMatchObject({ merchant_id: '', asker: { kind: 'public' } });
});

test.each([[{ plan_id: 'plan_1' }], [{ plan_id: 7 }], [{}]])('%j says none: test', async (body) => {
  expect((await send(body)).mode).toBe('test');
});

test('a key has its own mode, whatever the body names', async () => {
  const { mode, json } = await send({ plan_id: plan('test') }, bearer(LIVE_KEY));
  expect([mode, json.caller.mode]).toEqual(['live', 'live']);
});

test.each([
  ['an id of another form', 404, ['plan_1', 'plan_2']],
  ['no text', 400, [7, 8]],
])('%s names no object, and takes no Idempotency-Key from other strangers', async (_, status, ids) => {
  const calls = edge.calls;
  for (const plan_id of [...ids, ...ids]) {
    const answer = await send({ plan_id }, { 'idempotency-key': 'guess' });
    expect([answer.status, answer.sent['idempotency-replayed']]).toEqual([status, undefined]);
  }
  expect(edge.calls).toBe(calls);
});

test('a stranger’s Idempotency-Key is that of the object', async () => {
  const key = { 'idempotency-key': 'k1' };
  const first = await send({ plan_id: plan('test', 1) }, key);
  const [again, other] = [
    await send({ plan_id: plan('test', 1) }, key),
    await send({ plan_id: plan('test', 2) }, key),
  ];
  expect([first, again, other].map(({ sent }) => sent['idempotency-replayed'])).toEqual([
    ...[undefined, 'true', undefined],
  ]);
});

describe('what strangers may send an hour', () => {
  const known = plan('test', 200);
  const guess = (number: number) => `plan_test_${String(number).padStart(22, '0')}`;
  const found: Handler = (request, reply) =>
    (request.body as Subscribing).plan_id === known ? {} : reply.status(404).send({});
  beforeEach(() => {
    edge = new EdgeStage({ routes: [subscribe], handlers: { subscribeByBody: found } });
  });

  /** How often each status came. */
  async function statusesOf(bodies: number, bodyOf: (number: number) => object) {
    const seen = new Map<number, number>();
    for (let number = 0; number < bodies; number += 1) {
      const { status } = await send(bodyOf(number));
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
    return Object.fromEntries(seen);
  }
  const remaining = async (plan_id: string) => (await send({ plan_id })).sent['x-ratelimit-remaining'];

  test('is counted by object', async () => {
    expect([await remaining(plan('test', 1)), await remaining(plan('test', 1))]).toEqual(['599', '598']);
    expect(await remaining(plan('test', 2))).toBe('599');
  });

  test('guesses at ids: 404, then 429; the object that was there before goes on', async () => {
    await send({ plan_id: known });
    const guesses = await statusesOf(700, (number) => ({ plan_id: guess(number) }));
    expect(guesses).toEqual({ 404: 600, 429: 100 });
    expect((await send({ plan_id: known })).status).toBe(200);
    expect((await send({ plan_id: guess(999) })).status).toBe(429);
  });

  test.each<[string, number, (number: number) => object]>([
    ['another fault each beside a new id', 400, (number) => ({ plan_id: guess(number), wallet: number })],
    ['no object', 404, (number) => ({ plan_id: `plan_${number}` })],
  ])('bodies with %s run out, too', async (_, status, bodyOf) => {
    expect(await statusesOf(610, bodyOf)).toEqual({ [status]: 600, 429: 10 });
  });

  test('as do bodies that cannot be read', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = () =>
      edge.server.inject({ method: 'POST', url: subscribe.path, headers, payload: '{' });
    for (let sent = 0; sent < 600; sent += 1) expect((await broken()).statusCode).toBe(400);
    expect((await broken()).statusCode).toBe(429);
  });
});
