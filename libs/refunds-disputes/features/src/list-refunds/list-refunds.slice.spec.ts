import { eraseSubjectKey } from '@tender/adapter-postgres';
import type { FileKeyRing } from '@tender/adapter-system';
import type { ContextStage, StageAnswer } from '@tender/runtime/testing';
import { EMAIL, playPayments, type PlayedPayments } from '../testing/played-payments';
import { playTreasury, type PlayedTreasury } from '../testing/played-treasury';
import { refundRoutes } from '../testing/refund-routes';
import { refundsDisputesStage } from '../testing/refunds-disputes-stage';

const DAY_MS = 24 * 3_600_000;
let stage: ContextStage;
let payments: PlayedPayments;
let treasury: PlayedTreasury;
let routes: ReturnType<typeof refundRoutes>;
/** One a day, newest first. */
const ids: string[] = [];
const days: string[] = [];
let payment_id: string;
beforeAll(async () => {
  stage = await refundsDisputesStage();
  payments = playPayments(stage);
  treasury = playTreasury(stage);
  routes = refundRoutes(stage);
  payment_id = await payments.add();
  for (let count = 0; count < 4; count += 1) {
    const { json } = await routes.create(payment_id, { amount_usd: 10 });
    ids.unshift(json.id as string);
    days.unshift((json.created_at as string).slice(0, 10));
    await stage.settle();
    if (count === 1) await treasury.fail(json.id);
    else await treasury.complete(json.id);
    await stage.settle();
    stage.advance(DAY_MS);
  }
  const others = await payments.add({ payment: { merchant_id: 'm2' } });
  await routes.create(others, { amount_usd: 10 }, { merchant_id: 'm2' });
  await stage.settle();
});
afterAll(() => stage?.close());

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);
const listed = ({ json }: StageAnswer) => idsOf(json.refunds);

test('of a payment: newest first, with the count of all, and its customer', async () => {
  const { json, headers } = await routes.ofPayment(payment_id);
  expect([idsOf(json), headers['x-total-count']]).toEqual([ids, '4']);
  expect(json[0]).toMatchObject({ status: 'completed', customer_email: EMAIL, amount_usd: 10 });
  const page = await routes.ofPayment(payment_id, '?limit=1&offset=1');
  expect([idsOf(page.json), page.headers['x-total-count']]).toEqual([[ids[1]], '4']);
});

test('of a merchant: 50 by default, and where the page lies', async () => {
  const { json } = await routes.list();
  expect([idsOf(json.refunds), json.total, json.limit, json.offset]).toEqual([ids, 4, 50, 0]);
  const { json: page } = await routes.list('?limit=2&offset=1');
  const { refunds, total, limit, offset } = page;
  expect([idsOf(refunds), total, limit, offset]).toEqual([ids.slice(1, 3), 4, 2, 1]);
});

test('by status', async () => {
  expect(listed(await routes.list('?status=failed'))).toEqual([ids[2]]);
  expect((await routes.list('?status=completed')).json.total).toBe(3);
  expect(listed(await routes.list('?status=pending'))).toEqual([]);
});

test('by date: both bounds count, and a day alone is all of it, UTC', async () => {
  const [, later, earlier] = days;
  expect(listed(await routes.list(`?start_date=${earlier}&end_date=${later}`))).toEqual(ids.slice(1, 3));
  expect(listed(await routes.list(`?start_date=${later}&end_date=${later}`))).toEqual([ids[1]]);
  const { json } = await routes.get(ids[1] as string);
  const at = encodeURIComponent(json.created_at as string);
  expect(listed(await routes.list(`?start_date=${at}`))).toEqual(ids.slice(0, 2));
  expect(listed(await routes.list(`?end_date=${at}`))).toEqual(ids.slice(1));
});

test.each(['status=gone', 'limit=101', 'limit=0', 'start_date=today', 'end_date=2026-02-30'])(
  '?%s is named',
  async (query) => {
    const { status, json } = await routes.list(`?${query}`);
    expect([status, json.code]).toEqual([400, 'invalid_parameter']);
    expect(json.details.fields).toMatchObject([{ field: query.split('=')[0] }]);
  },
);

test('no other merchant and no other mode sees any; by id they are one 404', async () => {
  const [id] = ids as [string];
  expect((await routes.list('', { mode: 'live' })).json.refunds).toEqual([]);
  expect((await routes.list('', { merchant_id: 'm3' })).json.total).toBe(0);
  const answers = [
    await routes.get(id, { merchant_id: 'm2' }),
    await routes.get(id, { mode: 'live' }),
    await routes.get('8d8e8f90-9192-8394-9596-979899a0a1a2'),
  ];
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 404, json: { code: 'not_found' } });
  expect((await routes.get(id)).json).toMatchObject({ id, status: 'completed' });
});

test('the e-mail of a customer who was erased is gone from all of them', async () => {
  const { keyRing, readModels } = stage.runtime;
  const of = await payments.add({ email: 'bo@example.com' });
  const { json } = await routes.create(of, { amount_usd: 1 });
  expect(json.customer_email).toBe('bo@example.com');
  await stage.settle();
  const [row] = await readModels.query<{ subject: string; text: string }>(
    `select state->'terms'->>'customer_subject' as subject, state::text as text
      from refunds_disputes.refunds where id = $1`,
    [json.id],
  );
  expect(row?.text).not.toContain('bo@example.com');
  const subject = row?.subject as string;
  await eraseSubjectKey(readModels, subject);
  (keyRing as FileKeyRing).forgetSubject(subject);
  expect((await routes.get(json.id)).json.customer_email).toBeNull();
});
