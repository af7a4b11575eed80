/**
 * @landing embedded
 * @program own
 */
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { newMerchant, type Merchant } from '../harness/merchants';

let program: Program;
let receiver: Receiver;
let merchant: Merchant;

beforeAll(async () => {
  [program, receiver] = await Promise.all([Program.start(), Receiver.start()]);
  merchant = await newMerchant(program, { webhook_url: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  await program.discard();
});

const advance = (seconds: number) =>
  merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds });
const expiries = (id: string) =>
  receiver.events('PaymentExpired').filter(({ json }) => json.payment.id === id);

test('a payment that no customer pays expires when the chain has passed its time', async () => {
  const created = await merchant.api.post('/api/v1/payments', { amount: 7 });
  const { id } = created.json;
  expect((await advance(1000)).status).toBe(200);
  const payment = await merchant.api.get(`/api/v1/payments/${id}`);
  expect(payment.json.status).toBe('expired');
  expect(expiries(id)).toHaveLength(1);
});

test('during a long advance it expires in its second, and what it makes due runs on the way', async () => {
  const began = performance.now();
  const created = await merchant.api.post('/api/v1/payments', { amount: 7 });
  const { id, expires_at } = created.json;
  receiver.answerWith(({ json }, response) => {
    response.statusCode = json.payment?.id === id && expiries(id).length < 4 ? 500 : 200;
    response.end();
  });
  expect((await advance(5400)).status).toBe(200);
  const took_ms = performance.now() - began;
  expect(expiries(id)).toHaveLength(4);
  const late_ms = Date.parse(expiries(id)[0]?.json.timestamp) - Date.parse(expires_at);
  // Time goes on while the program does its work; what is not stopped for is late by an hour more.
  expect(Math.abs(late_ms)).toBeLessThan(60_000 + took_ms);
});
