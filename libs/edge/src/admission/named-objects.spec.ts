import { bearer, EdgeStage, LIVE_KEY, paymentId, TEST_KEY } from '../testing/edge-stage';

const [in_test, in_live] = [paymentId(1), paymentId(1, 'live')];
const FORMER_DELIVERY = `wh_${'1'.repeat(22)}`;
const stage = new EdgeStage();
const status = (id: string) => stage.get(`/api/v1/payments/${id}/status`, {});
const payment = (id: string, key: string) => stage.get(`/api/v1/payments/${id}`, bearer(key));
const retry = (id: string, key: string) =>
  stage.server.inject({ method: 'POST', url: `/api/v1/webhooks/${id}/retry`, headers: bearer(key) });

test('the mode of a public route is that of its object', async () => {
  for (const [id, mode] of [[in_test, 'test'], [in_live, 'live']] as const) {
    const { json, headers } = await status(id);
    expect([json().caller.mode, headers['x-svc-mode']]).toEqual([mode, mode]);
  }
});

test.each(['pay_test_1', `pay_${'1'.repeat(22)}`, 'x', in_test.slice(0, -1), `key_test_${in_test}`])(
  'a public route knows no object %s: it says no mode, and the gateway does not look for it in test',
  async (id) => {
    const calls = stage.calls;
    const { statusCode, json } = await status(id);
    expect([statusCode, json().code, stage.calls]).toEqual([404, 'not_found', calls]);
  },
);

test('with a key, an object of the other mode does not exist', async () => {
  expect((await payment(in_test, TEST_KEY)).statusCode).toBe(200);
  expect((await payment(in_live, LIVE_KEY)).statusCode).toBe(200);
  const calls = stage.calls;
  for (const [id, key] of [[in_live, TEST_KEY], [in_test, LIVE_KEY]] as const) {
    expect((await payment(id, key)).statusCode).toBe(404);
  }
  expect(stage.calls).toBe(calls);
});

test('with a key, an id from before ids said their mode is looked for in the key’s', async () => {
  for (const [key, mode] of [[TEST_KEY, 'test'], [LIVE_KEY, 'live']] as const) {
    const { json } = await retry(FORMER_DELIVERY, key);
    expect(json().caller.mode).toBe(mode);
  }
});
