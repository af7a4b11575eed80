/**
 * @landing embedded
 * @program own
 */
import { check, checkFromTheBeginning, History } from '../harness/checker';
import { FAULT_POINTS } from '../faults/faults';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { newMerchant, type Merchant } from '../harness/merchants';
import type { Client } from '../harness/client';

let program: Program;
let receiver: Receiver;
let merchant: Merchant;
const history = new History();

beforeAll(async () => {
  receiver = await Receiver.start();
  program = await Program.start();
  merchant = await newMerchant(program, { webhook_url: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  await program.discard();
});

/** Creates and pays until the process dies or the orders run out. Remembers what was asked and answered. */
async function trade(api: Client, round: string): Promise<void> {
  for (let index = 0; index < 12; index += 1) {
    const order = { key: `${round}-${index}`, amount: 1 + index, answer: null as string | null };
    history.orders.push(order);
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
    history.paid.set(created.json.id, paid.json.signature);
  }
}

const deaths = FAULT_POINTS.flatMap((point) => [`${point}:1`, `${point}:7`]);

test.each(deaths)('kill -9 at %s loses nothing and doubles nothing', async (fault) => {
  await program.kill();
  // A fault may strike while the program starts: that is a death like any other.
  const began = await program.start({ FAULT: fault }).then(
    () => true,
    () => false,
  );
  if (began) await trade(merchant.api, fault);
  expect(await program.death()).toBe('SIGKILL');
  await program.start();
  await check(program, merchant, receiver, history);
});

test('after all of that every answer of the beginning is still the same', () =>
  checkFromTheBeginning(program, merchant, receiver, history));
