import {
  arrangeScreening,
  screenPayment,
  type ScreeningArrangement,
  type ScreeningRequest,
} from '@tender/contracts';
import { AUDIT_STREAM, type AuditEntry } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { fraudStage } from './testing/fraud-stage';
import { newOrder } from './testing/order';

let stage: ContextStage;
beforeAll(async () => {
  stage = await fraudStage();
});
afterAll(() => stage?.close());

const asking = (mode: 'test' | 'live' = 'test') => {
  const { random } = stage.runtime;
  return { mode, correlation_id: random.uuid(), command_id: random.uuid() };
};
const screen = async (request: ScreeningRequest, mode: 'test' | 'live' = 'test') => {
  const answer = await stage.runtime.calls.ask(screenPayment, request, asking(mode));
  return answer.ok ? answer.value.action : answer.refusal;
};
const arrange = (arrangement: ScreeningArrangement) =>
  stage.runtime.calls.ask(arrangeScreening, arrangement, asking());
const ADMIN = { actor: 'admin', asker: { kind: 'admin', reason: 'r' } } as const;
const admin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  stage.send(method, `/admin/fraud${path}`, stage.caller(ADMIN), body);
const own = (path: string, merchant_id: string) =>
  stage.send('GET', `/api/v1/merchants/me/fraud${path}`, stage.caller({ merchant_id }));
const audited = async () =>
  (await stage.runtime.eventStore.load(AUDIT_STREAM)).map(({ data }) => data as AuditEntry);

test('flags have every field, are the merchant’s own, filtered and in pages; figures follow from them', async () => {
  const merchant_id = 'm-flags';
  const order = (customer_email: string | null, amount_usd_cents: string) =>
    newOrder({ merchant_id, customer_email, amount_usd_cents, client_address: '198.51.100.9' });
  const reviewed = order('a+score70@tender.test', '10000');
  await screen(reviewed);
  await screen(order('a+score90@tender.test', '25050'));
  await screen(order('b+score90@tender.test', '100'));
  await screen(order(null, '100'));

  const { status, json } = await own('/flags?severity=medium', merchant_id);
  expect(status).toBe(200);
  expect(json).toEqual({
    data: [
      {
        id: expect.stringMatching(/^flag_test_/) as string,
        payment_id: reviewed.payment.id,
        ...{ merchant_id, severity: 'medium', score: 70, rule: 'test_identity' },
        reasons: [{ code: 'test_identity', weight: 70, observed: 1, threshold: 1 }],
        ...{ stage: 'create', action: 'review', customer_wallet: null, ip_address: '198.51.100.9' },
        ...{ amount_usd: 100, resolved: false, resolution_type: null, resolved_by: null },
        ...{ resolved_at: null, created_at: expect.any(String) as string },
      },
    ],
    pagination: { page: 1, limit: 25, total: 1, total_pages: 1 },
  });
  const second = await own('/flags?page=2&limit=2', merchant_id);
  expect(second.json.pagination).toMatchObject({ total: 3, total_pages: 2 });
  expect(second.json.data).toHaveLength(1);
  expect((await own('/flags', 'm-other')).json.pagination.total).toBe(0);

  const { id } = json.data[0];
  const resolution = { resolution_type: 'safe_false_positive', notes: 'a known customer' };
  const resolved = await admin('POST', `/flags/${id}/resolve`, resolution);
  expect(resolved.json).toMatchObject({
    ...{ id, resolved: true, resolution_type: 'safe_false_positive', resolved_by: 'admin' },
  });
  const again = await admin('POST', `/flags/${id}/resolve`, resolution);
  expect([again.status, again.json.code]).toEqual([409, 'flag_already_resolved']);
  expect((await own('/flags?resolved=true', merchant_id)).json.data).toMatchObject([{ id }]);
  expect(
    (await admin('GET', `/flags?resolution_type=safe_false_positive`)).json.pagination.total,
  ).toBe(1);

  expect((await own('/stats', merchant_id)).json).toEqual({
    ...{ total_flagged: 3, unresolved_flags: 2, resolved_safe_flags: 1, blocked_payments: 2 },
    ...{ false_positive_rate: 1 / 3, estimated_fraud_prevented_usd: 251.5 },
    ...{ high_risk_payments_24h: 3, average_fraud_score_24h: 62.5 },
  });
  expect((await own('/stats', 'm-other')).json).toEqual({
    ...{ total_flagged: 0, unresolved_flags: 0, resolved_safe_flags: 0, blocked_payments: 0 },
    ...{ false_positive_rate: 0, estimated_fraud_prevented_usd: 0 },
    ...{ high_risk_payments_24h: 0, average_fraud_score_24h: 0 },
  });
  stage.advance(25 * 3600 * 1000);
  expect((await own('/stats', merchant_id)).json).toMatchObject({
    total_flagged: 3,
    high_risk_payments_24h: 0,
  });
});

test('a changed rule and a new one hold for the next order; what does not fit is named', async () => {
  const rules = (await admin('GET', '/rules')).json as {
    id: string;
    code: string;
    weight: number;
  }[];
  const amount = rules.find(({ code }) => code === 'amount_above_norm');
  const changed = await admin('PUT', `/rules/${amount?.id}`, { enabled: false, reason: 'sale' });
  expect([changed.status, changed.json]).toMatchObject([200, { ...amount, enabled: false }]);

  const merchant_id = 'm-rules';
  const body = {
    code: 'large_first',
    kind: 'first_payment',
    weight: 0,
    action: 'review',
    reason: 'test',
  };
  const bad = await admin('POST', '/rules', { ...body, params: { min_usd: 'much' } });
  expect([bad.status, bad.json.details.fields[0].field]).toEqual([400, 'params.min_usd']);
  const made = await admin('POST', '/rules', { ...body, params: { min_usd: 100 } });
  expect([made.status, made.json]).toMatchObject([201, { code: 'large_first', enabled: true }]);
  expect(await screen(newOrder({ merchant_id, stage: 'build', customer_wallet: 'W-first' }))).toBe(
    'review',
  );
  const off = await admin('PUT', `/rules/${made.json.id}`, { enabled: false, reason: 'enough' });
  expect(off.json).toEqual({ ...made.json, enabled: false });
  expect(await screen(newOrder({ merchant_id, stage: 'build', customer_wallet: 'W-second' }))).toBe(
    'pass',
  );
  expect((await admin('PUT', '/rules/none', { enabled: false, reason: 'x' })).status).toBe(404);
});

test('a code names one rule: a second one is refused, also of two that are asked for at once', async () => {
  const body = (code: string, weight: number) => ({
    ...{ code, kind: 'first_payment', params: { min_usd: 1_000 }, weight },
    ...{ action: 'score', enabled: false, reason: 'test' },
  });
  const tried = await Promise.all([1, 2].map((weight) => admin('POST', '/rules', body('twin', weight))));
  const made = tried.find(({ status }) => status === 201);
  const refusal = [409, 'rule_exists', { rule_id: made?.json.id as string }];
  const told = ({ status, json }: (typeof tried)[number]) => [status, json.code, json.details];
  expect(tried.filter((one) => one !== made).map(told)).toEqual([refusal]);
  expect(told(await admin('POST', '/rules', body('twin', 3)))).toEqual(refusal);
  const [known] = (await admin('GET', '/rules')).json;
  const of_default = await admin('POST', '/rules', body(known.code, 3));
  expect(told(of_default)).toEqual([409, 'rule_exists', { rule_id: known.id }]);
  const codes = (await admin('GET', '/rules')).json.map(({ code }: { code: string }) => code);
  expect(codes).toHaveLength(new Set(codes).size);
});

test('who is listed is blocked until taken off the list; the log holds neither e-mail nor address', async () => {
  const email = 'mallory@example.com';
  const order = () => newOrder({ merchant_id: 'm-list', customer_email: email });
  const entry = {
    kind: 'email',
    value: ' Mallory@Example.com ',
    note: 'chargebacks',
    reason: 'fraud',
  };
  const added = await admin('POST', '/blocklist', entry);
  expect([added.status, added.json]).toMatchObject([201, { kind: 'email', value: email }]);
  expect((await admin('POST', '/blocklist', entry)).status).toBe(200);
  expect(await screen(order())).toBe('block');
  const { id } = added.json;
  const listed = await admin('GET', '/blocklist?kind=email');
  expect(listed.json).toMatchObject([{ id, value: email, note: 'chargebacks' }]);
  const events = JSON.stringify(await stage.runtime.eventStore.load(`blocked.all-${id}`));
  expect(events.toLowerCase()).not.toContain('mallory');
  expect((await admin('DELETE', `/blocklist/${id}?reason=sorry`)).json).toMatchObject({ id });
  expect((await admin('DELETE', `/blocklist/${id}?reason=sorry`)).status).toBe(404);
  expect(await screen(order())).toBe('pass');
  const bad = await admin('POST', '/blocklist', { kind: 'ip', value: '1.2.3', reason: 'x' });
  expect([bad.status, bad.json.details.fields[0].field]).toEqual([400, 'value']);
});

test('the block list comes in pages, newest first', async () => {
  const before = Number((await admin('GET', '/blocklist')).headers['x-total-count']);
  const ids = [];
  for (let last = 1; last <= 22; last += 1) {
    const entry = { kind: 'ip', value: `203.0.113.${last}`, reason: 'page' };
    stage.advance(1);
    ids.unshift((await admin('POST', '/blocklist', entry)).json.id);
  }
  const idsOf = async (query: string) => {
    const { headers, json } = await admin('GET', `/blocklist${query}`);
    expect(headers['x-total-count']).toBe(String(before + 22));
    return json.map(({ id }: { id: string }) => id);
  };
  expect(await idsOf('')).toEqual(ids.slice(0, 20));
  expect(await idsOf('?limit=3&offset=18')).toEqual(ids.slice(18, 21));
  expect(await idsOf('?offset=1000')).toEqual([]);
});

test('the rules come in pages, oldest first', async () => {
  const all = (await admin('GET', '/rules?limit=100')).json;
  const { headers, json } = await admin('GET', '/rules?limit=2&offset=1');
  expect([headers['x-total-count'], json]).toEqual([String(all.length), all.slice(1, 3)]);
  expect((await admin('GET', '/rules?offset=1000')).json).toEqual([]);
});

test('an address of a merchant’s server is blocked at create, and an IPv6 one with its network', async () => {
  await admin('POST', '/blocklist', { kind: 'ip', value: '2001:db8:1:2::1', reason: 'attack' });
  expect(await screen(newOrder({ client_address: '2001:db8:1:2:ffff::9' }))).toBe('block');
  expect(await screen(newOrder({ client_address: '2001:db8:1:3::1' }))).toBe('pass');
});

test('tests age the list and sanction wallets, until they clear them', async () => {
  for (const age of ['stale', 'empty'] as const) {
    await arrange({ kind: 'list', age });
    expect([await screen(newOrder(), 'live'), await screen(newOrder())]).toEqual([
      ...['screening_unavailable', 'pass'],
    ]);
  }
  await arrange({ kind: 'list', age: 'fresh' });
  expect(await screen(newOrder(), 'live')).toBe('pass');
  const wallet = 'FxteHmLwG9nk1eL4pjNve3Eub2goGkkz6g6TbvdmW46a';
  const order = newOrder({ stage: 'build', customer_wallet: wallet });
  for (const action of ['sanction', 'block'] as const) {
    await arrange({ kind: 'wallet', value: wallet, action });
    expect(await screen(order)).toBe('block');
    await arrange({ kind: 'wallet', value: wallet, action: 'clear' });
    expect(await screen(order)).toBe('pass');
  }
  for (const ip of ['hello', '999.1.1.1', '1.2.3.4/8', '']) {
    const wrong = await arrange({ kind: 'ip', value: ip, action: 'block' });
    expect(wrong).toMatchObject({ refusal: 'invalid_value' });
  }
});

test('every change of an admin is in the audit log, with its reason', async () => {
  const entries = await audited();
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
  expect(entries[0]).toMatchObject({
    ...{ actor: 'admin', reason: 'a known customer', prev_seal: null },
    route: 'POST /admin/fraud/flags/{id}/resolve',
    what: { resolution_type: 'safe_false_positive' },
  });
  expect(new Set(entries.map(({ route }) => route))).toEqual(
    new Set([
      'POST /admin/fraud/flags/{id}/resolve',
      'PUT /admin/fraud/rules/{id}',
      'POST /admin/fraud/rules',
      'POST /admin/fraud/blocklist',
      'DELETE /admin/fraud/blocklist/{id}',
    ]),
  );
  expect(JSON.stringify(entries).toLowerCase()).not.toContain('mallory');
});
