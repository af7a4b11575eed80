import type { Sql } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { fraudStage } from '../testing/fraud-stage';
import { newOrder } from '../testing/order';
import { ForgetScreenings, KEPT_MS } from './forget-screenings.worker';
import { MerchantNorms } from './merchant-norms';
import { Screener } from './screener';
import { writeScreenings, type ScreeningRow } from './screening.record';
import { valueHash } from './value-hash';

const HOUR_MS = 60 * 60 * 1000;
const OLD_MS = KEPT_MS + 2 * HOUR_MS;

let stage: ContextStage;
let ids = 0;
beforeEach(async () => {
  stage = await fraudStage();
  // What it forgets as it starts is over before there is something to forget.
  await stage.settle();
});
afterEach(() => stage?.close());

/** A screening so long ago. */
function screening(age_ms: number, changes: Partial<ScreeningRow> = {}): ScreeningRow {
  ids += 1;
  return {
    ...{ mode: 'test', merchant_id: 'm1', payment_id: `p-${ids}`, stage: 'create' },
    ...{ customer_wallet: null, ip_hash: null, email_hash: null },
    ...{ amount_usd_cents: String(ids), score: 70, fraud_score: 70, action: 'pass' },
    sanctions_list: null,
    at_ms: stage.runtime.clock.now() - age_ms,
    ...changes,
  };
}
const many = (count: number, age_ms: number, changes: Partial<ScreeningRow> = {}) =>
  Array.from({ length: count }, (_, index) => screening(age_ms - index, changes));
const write = (...rows: readonly ScreeningRow[]) =>
  writeScreenings(stage.runtime.readModels, 'this spec', rows);
const rows = (where = 'true') =>
  stage.runtime.readModels.query<ScreeningRow>(`select * from fraud.screenings where ${where}`);

/** What a merchant and the rules have of the rows. */
async function seen(merchant_id: string) {
  const { readModels, clock } = stage.runtime;
  const norms = new MerchantNorms(readModels, () => clock.wall());
  const caller = stage.caller({ merchant_id, mode: 'test' });
  return {
    median: (await norms.of({ mode: 'test', merchant_id })).medianWithout('none of them'),
    stats: (await stage.send('GET', '/api/v1/merchants/me/fraud/stats', caller)).json as object,
  };
}

test('what nothing looks back on goes in business time; norms and figures are as they were', async () => {
  await write(
    ...many(150, OLD_MS),
    ...many(20, 22 * HOUR_MS),
    ...many(30, OLD_MS, { stage: 'build', customer_wallet: 'W1' }),
    ...many(3, OLD_MS, { action: 'block' }),
    ...many(25, OLD_MS, { merchant_id: 'small' }),
    ...many(2, OLD_MS, { merchant_id: 'small', stage: 'build', customer_wallet: 'W1' }),
    ...many(101, OLD_MS, { mode: 'live' }),
  );
  const before = [await seen('m1'), await seen('small')];
  expect(before[0]).toMatchObject({ stats: { high_risk_payments_24h: 20 } });
  await stage.settle();
  expect(await rows()).toHaveLength(331);

  stage.advance(HOUR_MS);
  await stage.settle();
  // 100 make the norm: 80 of them are old.
  const left = await rows();
  const of = (merchant_id: string, mode: string) =>
    left.filter((row) => row.merchant_id === merchant_id && row.mode === mode).length;
  expect([of('m1', 'test'), of('small', 'test'), of('m1', 'live')]).toEqual([100, 25, 100]);
  expect(left.every(({ stage: at, action }) => at === 'create' && action === 'pass')).toBe(true);
  expect([await seen('m1'), await seen('small')]).toEqual(before);

  // Those of a merchant that goes on slowly give way as newer ones come: they never pile up.
  for (let day = 0; day < 3; day += 1) {
    await write(...many(40, 0, { merchant_id: 'small' }));
    stage.advance(OLD_MS);
    await stage.settle();
  }
  expect(await rows(`merchant_id = 'small'`)).toHaveLength(100);
  expect(await rows()).toHaveLength(300);
});

test('what a rule counts stays, and counts; of the customer of an old one nothing is left', async () => {
  const { keyRing } = stage.runtime;
  const email_hash = valueHash(keyRing, 'email', 'ada@example.com');
  const known = { email_hash, ip_hash: 'an address' };
  await write(...many(5, 22 * HOUR_MS, known), ...many(4, OLD_MS, known));
  stage.advance(HOUR_MS);
  await stage.settle();
  expect(await rows('email_hash is not null')).toHaveLength(5);
  expect(await rows('ip_hash is not null')).toHaveLength(5);
  expect(await rows()).toHaveLength(9);
  const replica = new Screener(stage.runtime);
  const order = newOrder({ customer_email: 'ada@example.com' });
  const asked = { mode: 'test', correlation_id: 'x', command_id: null } as const;
  expect(await replica.screen(order, asked)).toMatchObject({ value: { reasons: ['velocity_email'] } });
  await replica.close();
  expect(await rows()).toHaveLength(10);
});

test('one statement deletes no more than it may, and a database that is away is asked again', async () => {
  await write(...many(125, OLD_MS));
  const { readModels } = stage.runtime;
  const deleted: number[] = [];
  let is_away = true;
  const watched: Sql = {
    async query(text: string, values?: readonly unknown[]) {
      if (is_away) throw new Error('away');
      const answer = await readModels.query(text, values as never);
      if (text.includes('delete')) deleted.push(answer.length);
      return answer as never;
    },
  };
  const runtime = { ...stage.runtime, readModels: { ...readModels, ...watched } as never };
  const worker = new ForgetScreenings(runtime, 10);
  await worker.start();
  await worker.idle();
  expect(await rows()).toHaveLength(125);
  is_away = false;
  stage.advance(HOUR_MS);
  await worker.idle();
  expect(deleted).toEqual([10, 10, 5]);
  await worker.stop();
});
