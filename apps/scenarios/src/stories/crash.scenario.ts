/**
 * @landing embedded
 * @program own
 * @takes minutes
 */
import { FAULT_POINTS } from '../faults/faults';
import { brokenInvariants } from '../harness/invariants';
import { Program } from '../harness/program';
import { Trade } from '../harness/trade';
import type { Client } from '../harness/client';

let trade: Trade;

beforeAll(async () => {
  trade = await Trade.begin(await Program.start());
});
afterAll(() => trade.end());

/** Creates and pays until the process dies or the orders run out. Remembers what was asked and answered. */
async function orderUntilDeath(api: Client, round: string): Promise<void> {
  for (let index = 0; index < 12; index += 1) {
    const order = { key: `${round}-${index}`, amount: 1 + index, answer: null as string | null };
    trade.history.orders.push(order);
    const created = await api
      .post('/api/v1/payments', { amount: order.amount }, { 'idempotency-key': order.key })
      .catch(() => null);
    if (created?.status !== 200) return;
    order.answer = created.text;
    if (index % 3 !== 0) continue;
    const paid = await api
      .post('/api/v1/test_helpers/pay', { payment_id: created.json.id })
      .catch(() => null);
    if (paid?.status !== 200) return;
    trade.history.paid.set(created.json.id, paid.json.signature);
  }
}

async function survivesDeath(): Promise<void> {
  expect(await trade.program.death()).toBe('SIGKILL');
  await trade.program.start({});
  await trade.check();
}

// A fault may strike while the program starts, which counts as well.
test.each(FAULT_POINTS)('kill -9 at %s, the first time since it started, loses nothing and doubles nothing', async (point) => {
  const FAULT = `${point}:1`;
  await trade.program.kill();
  const began = await trade.program.start({ FAULT }).then(
    () => true,
    () => false,
  );
  if (began) await orderUntilDeath(trade.merchant.api.once(), FAULT);
  await survivesDeath();
});

test.each(FAULT_POINTS)('kill -9 at %s, the seventh time, loses nothing and doubles nothing', async (point) => {
  const fault = `${point}:7`;
  await trade.program.strike(['tender'], fault);
  await orderUntilDeath(trade.merchant.api.once(), fault);
  await survivesDeath();
});

test('after all of that every answer of the beginning is still the same', () =>
  trade.checkFromTheBeginning());

test('nothing of all that breaks an invariant', async () => {
  expect(await brokenInvariants(trade.program)).toEqual([]);
});
