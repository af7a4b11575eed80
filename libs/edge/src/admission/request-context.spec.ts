import { route, type RequestContext } from '@tender/contracts';
import { ADMIN_TOKEN, bearer, EdgeStage, paymentId, TEST_KEY } from '../testing/edge-stage';

/** No class reads its body. */
const unread = route({
  id: 'unread',
  method: 'POST',
  path: '/admin/unread',
  context: 'accounts',
  auth: 'admin',
  limit: 'none',
  idempotent: false,
  answers: { 200: null },
  refusals: [],
  summary: 'A route of this spec',
  tag: 'Admin',
});
const stage = new EdgeStage({ routes: [unread] });

async function contextOf(
  method: 'GET' | 'POST',
  url: string,
  headers: object = {},
  more: object = {},
): Promise<RequestContext> {
  const { body } = await stage.server.inject({ method, url, headers: { ...headers }, ...more });
  return (JSON.parse(body) as { caller: RequestContext }).caller;
}

const MINT = '/admin/merchants/8d8e8f90-9192-8394-9596-979899a0a1a2/keys';
const mint = (payload: object) => contextOf('POST', MINT, bearer(ADMIN_TOKEN), { payload });

test('the asker is the key, the admin with the reason that was given, or the public', async () => {
  const keyed = await contextOf('GET', '/api/v1/payments', bearer(TEST_KEY));
  expect(keyed).toMatchObject({
    actor: 'key:key-merchant-a-test',
    asker: { kind: 'key', key_id: 'key-merchant-a-test' },
  });
  const polled = await contextOf('GET', `/api/v1/payments/${paymentId(1)}/status`);
  expect(polled).toMatchObject({ actor: 'public', asker: { kind: 'public' } });
  expect((await mint({ mode: 'live', reason: 'go live' })).asker).toEqual({
    kind: 'admin',
    reason: 'go live',
  });
  expect((await mint({ mode: 'live', reason: 'go live' })).actor).toBe('admin');
});

test.each([
  [{}, 'missing_required_field'],
  [{ reason: null }, 'missing_required_field'],
  [{ reason: '' }, 'invalid_parameter'],
  [{ reason: ' ' }, 'invalid_parameter'],
  [{ reason: 'x'.repeat(501) }, 'invalid_parameter'],
  [{ reason: 3 }, 'invalid_parameter'],
])('an admin who changes something says why: %j is 400', async (fields, code) => {
  const payload = { mode: 'live', ...fields };
  const answer = await stage.server.inject({
    ...{ method: 'POST', url: MINT, headers: bearer(ADMIN_TOKEN), payload },
  });
  const { details } = answer.json() as { details: { fields: object[] } };
  expect([answer.statusCode, answer.json().code]).toEqual([400, code]);
  expect(details.fields).toMatchObject([{ field: 'reason' }]);
});

test('the reason of an admin is one that was read and found short enough', async () => {
  const asked = await contextOf('POST', unread.path, bearer(ADMIN_TOKEN), {
    payload: { reason: 'x'.repeat(20_000) },
  });
  expect(asked.asker).toEqual({ kind: 'admin', reason: null });
});

test('without a trusted proxy the client’s address is its socket’s, whatever the headers say', async () => {
  const forwarded = { ...bearer(TEST_KEY), 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
  const asked = await contextOf('GET', '/api/v1/payments', forwarded, {
    remoteAddress: '192.0.2.7',
  });
  expect(asked.client_address).toBe('192.0.2.7');
});
