import { newId, prefixedIds, route } from '@tender/contracts';
import { MODES, type Mode } from '@tender/kernel';
import { IsString } from 'class-validator';
import { bearer, EdgeStage, LIVE_KEY } from '../testing/edge-stage';

class Subscribing {
  @IsString() plan_id!: string;
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
