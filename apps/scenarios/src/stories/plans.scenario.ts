/** @landing embedded postgres eventstore */
import { idempotencyKey } from '../harness/client';
import { liveKey, newMerchant } from '../harness/merchants';
import { sharedProgram } from '../harness/running-program';

const program = sharedProgram();
const GOLD = { name: 'Gold', amount: 29.99, billing_interval: 'monthly' };

test('a merchant creates a plan once, however often it asks, and reads it', async () => {
  const merchant = await newMerchant(program);
  const key = idempotencyKey();
  const created = await merchant.api.post('/api/v1/subscription-plans', GOLD, key);
  expect(created.status).toBe(201);
  expect(created.json).toMatchObject({ merchant_id: merchant.id, name: 'Gold' });
  const again = await merchant.api.post('/api/v1/subscription-plans', GOLD, key);
  expect([again.status, again.text]).toEqual([201, created.text]);

  const read = await merchant.api.get(`/api/v1/subscription-plans/${created.json.id}`);
  expect([read.status, read.json]).toEqual([200, created.json]);
});

test('a plan in live mode is none in test mode', async () => {
  const merchant = await newMerchant(program);
  const live = await liveKey(program, merchant);
  const created = await live.post('/api/v1/subscription-plans', GOLD);
  expect([created.status, created.json.mode]).toEqual([201, 'live']);
  expect((await merchant.api.get(`/api/v1/subscription-plans/${created.json.id}`)).status).toBe(404);
});
