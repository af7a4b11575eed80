import { createHash } from 'node:crypto';
import { withOpenedTexts, type RequestContext } from '@tender/contracts';
import { AUDIT_STREAM, type PublicEvent } from '@tender/eventing';
import { publishRefundsDisputes } from '../publish-refunds-disputes';
import { DisputedPayments, MERCHANT_ID, OTHER_WALLET, WALLET } from '../testing/disputed-payments';

const shop = new DisputedPayments();
beforeAll(() => shop.start());
afterAll(() => shop.close());

const MINE = '/api/v1/merchants/me/disputes';
const mine = (changes: Partial<RequestContext> = {}) =>
  shop.stage.caller({ merchant_id: MERCHANT_ID, actor: 'session:s1', ...changes });
const get = (path: string, changes: Partial<RequestContext> = {}) =>
  shop.stage.send('GET', `${MINE}${path}`, mine(changes));
const respond = (id: string, body: object = { response: 'It was handed over.' }, changes = {}) =>
  shop.stage.send('POST', `${MINE}/${id}/respond`, mine(changes), body);
const giveBack = (id: string, body: object = { amount_usd: 25 }, changes = {}) =>
  shop.stage.send('POST', `${MINE}/${id}/issue-refund`, mine(changes), body);
const resolve = (id: string, body: object, changes = {}) =>
  shop.stage.send(
    ...['POST' as const, `/admin/disputes/${id}/resolve`],
    shop.stage.caller({ actor: 'admin', ...changes }),
    { reason: 'Looked into', ...body },
  );
type Answered = { readonly status: number; readonly json: { readonly code?: string } };
const codeOf = ({ status, json }: Answered) => [status, json.code];
const eventsOf = (payment_id: string) =>
  shop.stage.runtime.eventStore.load(`case.${payment_id.slice(4, 8)}-${payment_id}` as never);

test('a dispute shows all that its customer has said, to them and to the merchant', async () => {
  const evidence = { tracking: 'TR-7', photos: ['https://a.example/1.png'] };
  const dispute = await shop.newDispute({}, { evidence, customer_wallet: WALLET });
  const { payment_id, code: _, ...answered } = dispute;
  expect(answered).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    ...{ refund_id: null, merchant_id: MERCHANT_ID, customer_email: 'ada@example.com' },
    ...{ customer_wallet: WALLET, dispute_type: 'product_not_received', status: 'open' },
    ...{ description: 'Nothing has come.', evidence, response: null, response_evidence: null },
    ...{ responded_at: null, resolution_notes: null, resolved_by: null, resolved_at: null },
    opened_at: expect.stringMatching(/Z$/) as string,
  });
  expect((await get(`/${dispute.id}`)).json).toEqual({ ...answered, payment_id });
});

test('one dispute at a time; another one after a resolution', async () => {
  const { id, payment_id } = await shop.newDispute();
  const code = await shop.codeOf(payment_id);
  const refused = await shop.open(payment_id, code);
  expect([...codeOf(refused), refused.json.details]).toEqual([409, 'dispute_exists', { dispute_id: id }]);
  expect((await resolve(id, { outcome: 'closed' })).status).toBe(200);
  const again = await shop.open(payment_id, code);
  expect(again.status).toBe(201);
  expect(again.json.id).not.toBe(id);
});

test('a merchant responds once, and after the end not at all', async () => {
  const { id } = await shop.newDispute();
  const evidence = { receipt: 'R-7' };
  const { status, json } = await respond(id, { response: 'It was handed over.', evidence });
  expect([status, json]).toMatchObject([
    200,
    { status: 'under_review', response: 'It was handed over.', response_evidence: evidence },
  ]);
  expect(json.responded_at).toMatch(/Z$/);
  expect(codeOf(await respond(id))).toEqual([409, 'invalid_dispute_state']);
  await resolve(id, { outcome: 'merchant_favor' });
  expect(codeOf(await respond(id))).toEqual([409, 'dispute_already_resolved']);
});

test('the same request again is the same response', async () => {
  const { id } = await shop.newDispute();
  const same = { command_id: 'respond once' };
  const first = await respond(id, undefined, same);
  const again = await respond(id, undefined, same);
  expect([again.status, again.text]).toEqual([200, first.text]);
});

test('a stranger, the other mode and an unknown id get the same 404', async () => {
  const { id } = await shop.newDispute();
  const ids = [id, id, '8d8e8f90-9192-8394-9596-979899a0a1a0'];
  const whose = [{ merchant_id: 'another' }, { mode: 'live' as const }, {}];
  const answers = await Promise.all(
    ids.flatMap((one, at) => [
      get(`/${one}`, whose[at]),
      respond(one, undefined, whose[at]),
      giveBack(one, undefined, whose[at]),
    ]),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(404));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const admin = await resolve('8d8e8f90-9192-8394-9596-979899a0a1a0', { outcome: 'closed' });
  expect(codeOf(admin)).toEqual([404, 'not_found']);
});

describe('issue-refund (M1, M2, M23)', () => {
  test('begins a linked refund and ends the dispute, in one append', async () => {
    const { id, payment_id } = await shop.newDispute();
    const { status, json } = await giveBack(id, { amount_usd: 25, refund_reason: 'Lost' });
    expect([status, json]).toMatchObject([
      201,
      {
        ...{ dispute_id: id, status: 'resolved_customer_favor' },
        refund: {
          ...{ payment_id, amount_usd: 25, status: 'pending', reason: 'Lost', dispute_id: id },
          ...{ initiated_by: 'merchant', customer_wallet: WALLET },
        },
      },
    ]);
    const events = await eventsOf(payment_id);
    expect(events.map(({ type }) => type)).toEqual([
      ...['DisputeOpened', 'RefundInitiated', 'DisputeResolved'],
    ]);
    expect(new Set(events.slice(1).map(({ metadata }) => metadata.command_id)).size).toBe(1);
    await shop.stage.settle();
    expect((await get(`/${id}`)).json).toMatchObject({
      ...{ status: 'resolved_customer_favor', refund_id: json.refund.id, resolved_by: 'merchant' },
    });
    expect(codeOf(await giveBack(id))).toEqual([409, 'dispute_already_resolved']);
  });

  test('is refused by name, and leaves the dispute open', async () => {
    const { id, payment_id } = await shop.newDispute();
    const too_much = await giveBack(id, { amount_usd: 100.01 });
    expect([...codeOf(too_much), too_much.json.details]).toEqual([
      ...[422, 'refund_amount_exceeds_remaining', { remaining_usd: 100 }],
    ]);
    expect(codeOf(await giveBack(id, { amount_usd: 1.001 }))).toEqual([400, 'invalid_parameter']);
    const path = `/api/v1/payments/${payment_id}/refund`;
    expect((await shop.stage.send('POST', path, mine(), { amount_usd: 10 })).status).toBe(201);
    expect(codeOf(await giveBack(id))).toEqual([409, 'refund_in_progress']);
    const held = await shop.newDispute({ hold: 'held' });
    expect(codeOf(await giveBack(held.id))).toEqual([409, 'payment_not_refundable']);
    expect((await get(`/${held.id}`)).json.status).toBe('open');
  });

  test('of a hundred at once one goes', async () => {
    const { id, payment_id } = await shop.newDispute();
    const all = await Promise.all(Array.from({ length: 100 }, () => giveBack(id)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = all.filter(({ status }) => status !== 201).map(codeOf);
    expect(new Set(others.map(String))).toEqual(new Set(['409,dispute_already_resolved']));
    const types = (await eventsOf(payment_id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'RefundInitiated')).toHaveLength(1);
  });
});

describe('an admin resolves', () => {
  test.each([
    ['merchant_favor', 'resolved_merchant_favor'],
    ['customer_favor', 'resolved_customer_favor'],
    ['closed', 'closed'],
  ])('%s is %s, and no money moves', async (outcome, status) => {
    const { id, payment_id } = await shop.newDispute();
    await respond(id);
    const answer = await resolve(id, { outcome, resolution_notes: 'The parcel was found.' });
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { id, status, refund_id: null, resolved_by: 'admin', resolution_notes: 'The parcel was found.' },
    ]);
    expect(answer.json.resolved_at).toMatch(/Z$/);
    expect((await eventsOf(payment_id)).map(({ type }) => type)).not.toContain('RefundInitiated');
    expect(codeOf(await resolve(id, { outcome }))).toEqual([409, 'dispute_already_resolved']);
  });

  test('with a refund where its amount is sent', async () => {
    const { id, payment_id } = await shop.newDispute({ mode: 'live' });
    const answer = await resolve(id, { outcome: 'customer_favor', refund_amount_usd: 40 });
    expect(answer.status).toBe(200);
    const events = await eventsOf(payment_id);
    expect(events.map(({ type }) => type)).toEqual([
      ...['DisputeOpened', 'RefundInitiated', 'DisputeResolved'],
    ]);
    expect(events[1]?.data).toMatchObject({
      refund: { refund_id: answer.json.refund_id, amount_usd_cents: '4000', initiated_by: 'admin' },
    });
    expect(events[1]?.metadata).toMatchObject({ merchant_id: MERCHANT_ID, actor: 'admin' });
  });

  test('not for the merchant and with a refund', async () => {
    const { id } = await shop.newDispute();
    const refused = await resolve(id, { outcome: 'merchant_favor', refund_amount_usd: 1 });
    expect(codeOf(refused)).toEqual([400, 'invalid_parameter']);
    const too_much = await resolve(id, { outcome: 'closed', refund_amount_usd: 101 });
    expect(codeOf(too_much)).toEqual([422, 'refund_amount_exceeds_remaining']);
    expect((await get(`/${id}`)).json.status).toBe('open');
  });

  test('what an admin changes, and why, is in the audit log (specification §2.14)', async () => {
    const { id } = await shop.newDispute();
    await resolve(id, { outcome: 'closed', reason: 'Withdrawn by mail', resolution_notes: 'secret?' });
    const entries = await shop.stage.runtime.eventStore.load(AUDIT_STREAM);
    expect(entries.at(-1)?.data).toMatchObject({
      ...{ actor: 'admin', reason: 'Withdrawn by mail' },
      ...{ route: 'POST /admin/disputes/{id}/resolve' },
      what: { dispute_id: id, outcome: 'closed', refund_amount_usd: null },
    });
  });
});

test('a merchant lists its own, newest first, filtered, in pages', async () => {
  const merchant_id = '0190a1b2-c3d4-8e5f-a6b7-000000000000';
  const email = (at: number) => `list-${at}@example.com`;
  const opened: { id: string }[] = [];
  for (const [at, dispute_type] of ['duplicate', 'unauthorized', 'other'].entries()) {
    shop.stage.advance(1000);
    opened.push(await shop.newDispute({ merchant_id, email: email(at) }, { dispute_type }));
  }
  await resolve(opened[0]?.id ?? '', { outcome: 'closed' });
  await shop.stage.settle();
  const ids = async (query: string) => {
    const { json } = await get(query, { merchant_id });
    return [json.disputes.map(({ id }: { id: string }) => id), json.total, json.limit, json.offset];
  };
  const [one, two, three] = opened.map(({ id }) => id);
  expect(await ids('')).toEqual([[three, two, one], 3, 50, 0]);
  expect(await ids('?limit=1&offset=1')).toEqual([[two], 3, 1, 1]);
  expect(await ids('?status=open')).toEqual([[three, two], 2, 50, 0]);
  expect(await ids('?dispute_type=duplicate&status=closed')).toEqual([[one], 1, 50, 0]);
  const { json } = await get(`/${two}`, { merchant_id });
  const just_then = `?start_date=${json.opened_at}&end_date=${json.opened_at}`;
  expect(await ids(just_then)).toEqual([[two], 1, 50, 0]);
  const day = json.opened_at.slice(0, 10);
  expect((await ids(`?start_date=${day}&end_date=${day}`))[1]).toBeGreaterThan(0);
  expect(await ids('?end_date=2001-01-01')).toEqual([[], 0, 50, 0]);
  expect((await get('', { merchant_id, mode: 'live' })).json.total).toBe(0);
});

describe('what is the customer’s is sealed', () => {
  test('in events and in public; opened in webhooks, as what was sent', async () => {
    const evidence = { note: 'it says "no"' };
    const more = { description: 'My own words', evidence };
    const { payment_id } = await shop.newDispute({ webhook_url: 'https://hook.example/1' }, more);
    const [stored] = await eventsOf(payment_id);
    const said: unknown = publishRefundsDisputes(stored as never);
    const fact = said as PublicEvent<{ webhook_url: string }>;
    expect([fact.type, fact.data.webhook_url]).toEqual([
      ...['refunds-disputes.dispute-opened.v1', 'https://hook.example/1'],
    ]);
    for (const text of [JSON.stringify(stored), JSON.stringify(fact)]) {
      expect(text).not.toMatch(/ada@|My own words|it says/);
    }
    const { keyRing } = shop.stage.runtime;
    const open = keyRing.openPersonal.bind(keyRing);
    const told = await withOpenedTexts(JSON.stringify(fact.data), open);
    expect(JSON.parse(told).dispute).toMatchObject({ customer_email: 'ada@example.com', ...more });
  });

  test('erased it is null in every answer, and the dispute goes on to its end', async () => {
    const { id, payment_id } = await shop.newDispute(
      { email: 'forget@example.com' },
      { evidence: { a: 1 } },
    );
    await shop.erase(payment_id);
    const gone = { customer_email: null, description: null, evidence: null };
    expect((await get(`/${id}`)).json).toMatchObject({ id, ...gone });
    expect((await respond(id)).json).toMatchObject({ status: 'under_review', ...gone });
    const { status, json } = await giveBack(id);
    expect([status, json.refund.customer_email]).toEqual([201, null]);
    const listed = (await get('')).json.disputes as { id: string }[];
    expect(listed.find((one) => one.id === id)).toMatchObject(gone);
    const stored = JSON.stringify(await eventsOf(payment_id));
    expect(stored).not.toContain('forget@');
    // Nor is the address there in a form that anyone can compare.
    for (const hash of ['sha256', 'md5', 'sha1']) {
      expect(stored).not.toContain(createHash(hash).update('forget@example.com').digest('hex'));
    }
  });
});

test('a customer’s named wallet is one that paid, or none', async () => {
  const payment_id = await shop.newPayment();
  const code = await shop.codeOf(payment_id);
  const refused = await shop.open(payment_id, code, { customer_wallet: OTHER_WALLET });
  expect([...codeOf(refused), refused.json.details]).toEqual([409, 'wallet_mismatch', {}]);
});
