import { customerSubject } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { paymentsStage } from '../testing/payments-stage';

const OWNER = { merchant_id: 'm1', merchant_name: 'Corner Shop', wallet: 'W1', actor: 'key:k1' };
const ADA = { email: 'ada@example.com', name: 'Ada', billing_city: 'London' };
const erased = new Set<string>();

let stage: ContextStage;
beforeAll(async () => {
  stage = await paymentsStage();
  const { keyRing } = stage.runtime;
  const open = keyRing.openPersonal.bind(keyRing);
  keyRing.openPersonal = async (subject_id, sealed) =>
    erased.has(subject_id) ? null : open(subject_id, sealed);
});
afterAll(() => stage?.close());

const newPayment = async (body: object = {}): Promise<string> =>
  (await stage.send('POST', '/api/v1/payments', stage.caller(OWNER), { amount: 5, ...body })).json.id;
const tell = (id: string, body: object) =>
  stage.send('POST', `/api/v1/payments/${id}/customer-info`, stage.caller(), body);
const checkout = async (id: string) =>
  (await stage.send('GET', `/api/v1/payments/${id}/checkout-data`, stage.caller())).json;

test('the first who tells it is kept, masked in public and in clear nowhere', async () => {
  const id = await newPayment({ customer_email: 'first@example.com' });
  expect((await checkout(id)).customer_data).toBeNull();
  const told = await tell(id, ADA);
  expect([told.status, told.json]).toEqual([200, { payment_id: id, collected: true }]);
  const second = await tell(id, { email: 'eve@example.com' });
  expect([second.status, second.json.code]).toEqual([409, 'customer_info_set']);
  const { customer_data } = await checkout(id);
  expect(customer_data).toMatchObject({ email: 'a***@e***', name: 'A***', billing_city: 'L***', phone: null });
  const events = await stage.runtime.eventStore.load(`payment.test-${id}`);
  expect(JSON.stringify(events)).not.toMatch(/example\.com|London/);
});

test('a customer who was erased by merchant and e-mail is shown no more', async () => {
  const id = await newPayment();
  await tell(id, ADA);
  const of = { merchant_id: 'm1', mode: 'test', email: 'ADA@example.com' } as const;
  erased.add(customerSubject(stage.runtime.keyRing, of));
  expect((await checkout(id)).customer_data).toBeNull();
  erased.clear();
});

test('an expired payment takes none', async () => {
  const id = await newPayment();
  stage.advance(900_000);
  const late = await tell(id, ADA);
  expect([late.status, late.json.code]).toEqual([410, 'payment_expired']);
});

test('of an unknown payment nothing is shown or kept', async () => {
  const id = `pay_test_${'0'.repeat(22)}`;
  expect([(await checkout(id)).code, (await tell(id, ADA)).json.code]).toEqual(['not_found', 'not_found']);
});
