/** @landing embedded */
import { randomUUID } from 'node:crypto';
import { allRoutes, type Route } from '@tender/contracts';
import { mailedCode, opening, postedByCustomer } from '../harness/dispute-codes';
import { eventually } from '../harness/eventually';
import { sharedProgram } from '../harness/running-program';
import { Receiver } from '../harness/receiver';
import { liveKey, newMerchant, type Merchant } from '../harness/merchants';
import type { Client } from '../harness/client';

const program = sharedProgram();
let receiver: Receiver;
let owner: Merchant;
let stranger: Merchant;
let ownerLive: Client;
/** An object of the owner's by the path that leads to it; a new kind of object must be added. */
let objects: Record<string, string>;

const routes: readonly Route[] = allRoutes;
const guarded = routes.filter(({ auth }) => ['key', 'session', 'setup'].includes(auth));
const takesKeys = routes.filter(({ auth }) => auth === 'key' || auth === 'key_or_nobody');
const withObject = takesKeys.filter(({ objects: named }) => named !== undefined);
const pathTo = ({ path }: Route): string => path.slice(0, path.indexOf('{'));

beforeAll(async () => {
  receiver = await Receiver.start();
  [owner, stranger] = await Promise.all([newMerchant(program), newMerchant(program)]);
  ownerLive = await liveKey(program, owner);
  receiver.answerWith((_, response) => response.writeHead(500).end());
  await owner.api.put('/api/v1/merchants/me/webhook', { webhook_url: receiver.url });
  const payment = await owner.api.post('/api/v1/payments', { amount: 1 });
  const link = await owner.api.post('/api/v1/payment-links', { amount: 1 });
  const intent = await owner.api.post('/api/v1/payment-intents', { amount: 1 });
  const key = await owner.api.post('/api/v1/keys', { mode: 'test' });
  const deliveries = await eventually(
    () => owner.api.get('/api/v1/webhooks'),
    ({ json }) => json.length > 0 && json[0].status === 'failed',
  );
  await owner.api.post('/api/v1/test_helpers/pay', { payment_id: payment.json.id, amount: 0.5 });
  const receipts = await eventually(
    () => owner.api.get('/api/v1/receipts'),
    ({ json }) => json.length > 0,
  );
  const plan = await owner.api.post('/api/v1/subscription-plans', {
    name: 'Gold',
    amount: 9,
    billing_interval: 'monthly',
  });
  const subscription = await owner.api.post('/api/v1/subscriptions', {
    plan_id: plan.json.id,
    customer_wallet: WALLET,
  });
  const installments = await owner.api.post('/api/v1/installment-plans', {
    ...{ customer_wallet: WALLET, total_amount: 9 },
    ...{ installment_count: 3, payment_frequency_days: 30 },
  });
  const invoice = await owner.api.post('/api/v1/invoices', {
    ...{ customer_email: 'ada@example.com', amount: 9, description: 'Work' },
  });
  const { settlement, refund, dispute } = await paidBackAndDisputed();
  objects = {
    '/api/v1/settlements/': settlement.id,
    '/api/v1/merchants/me/refunds/': refund.id,
    '/api/v1/merchants/me/disputes/': dispute.id,
    '/api/v1/invoices/': invoice.json.id,
    '/api/v1/merchants/me/invoices/': invoice.json.id,
    '/api/v1/installment-plans/': installments.json.id,
    '/api/v1/payments/': payment.json.id,
    '/api/v1/payment-links/': link.json.id,
    '/api/v1/payment-intents/': intent.json.id,
    '/api/v1/keys/': key.json.id,
    '/api/v1/receipts/': receipts.json[0].id,
    '/api/v1/webhooks/': deliveries.json[0].id,
    '/api/v1/subscription-plans/': plan.json.id,
    '/api/v1/subscriptions/plans/': plan.json.id,
    '/api/v1/subscriptions/': subscription.json.id,
  };
});

afterAll(() => receiver.close());

/** A payment of the owner's that is settled, and all that can follow it. */
async function paidBackAndDisputed() {
  const email = `customer.${owner.id}@example.com`;
  const created = await owner.api.post('/api/v1/payments', { amount: 2, customer_email: email });
  const { id: payment_id } = created.json;
  const { json: paid } = await owner.api.post('/api/v1/test_helpers/pay', { payment_id });
  const settled = await eventually(
    () => owner.api.get(`/api/v1/settlements?payment_id=${payment_id}`),
    ({ json }) => json.length > 0,
  );
  const path = `/payments/${payment_id}`;
  const refund = await owner.api.post(`/api/v1${path}/refund`, { amount_usd: 1 });
  const payment = { payment_id, payer: paid.wallet, email };
  const body = opening(payment, await mailedCode(program, payment));
  const dispute = await postedByCustomer(program, `${path}/dispute`, body);
  return { settlement: settled.json[0], refund: refund.json, dispute: dispute.json };
}

/** In paths that name a customer’s wallet. */
const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
/** Of routes that are refused without one to every caller. */
const BODIES: Readonly<Record<string, object>> = {
  resolveReceipt: { action: 'accept' },
  createRefund: { amount_usd: 1 },
  confirmPaymentIntent: {
    customer_wallet: WALLET,
    client_secret: 'of another',
  },
};
const pathOf = (route: Route, object: string) => route.path.replace(/\{\w+\}/, object);
/** Errors name the request that they are of: as one request, they are the same to the byte. */
const SAME_REQUEST = { 'x-correlation-id': randomUUID() };
const send = (client: Client, route: Route, object = 'none') => {
  const body = route.method === 'GET' ? undefined : (BODIES[route.id] ?? {});
  return client.send(route.method, pathOf(route, object), body, SAME_REQUEST);
};

test('every route that names an object has one of the owner to try', () => {
  expect(Object.keys(objects).sort()).toEqual([...new Set(withObject.map(pathTo))].sort());
});

test.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s without a key is 401',
  async (_, route) => {
    const answer = await send(program.client(), route);
    expect([answer.status, answer.json.code]).toEqual([401, 'authentication_failed']);
  },
);

test('a route for sessions refuses keys (S33), and a route that needs no key refuses a bad one', async () => {
  for (const route of routes.filter(({ auth }) => auth === 'session' || auth === 'setup')) {
    expect((await send(owner.api, route)).status).toBe(403);
  }
  const bad = program.client(`${owner.api.key?.slice(0, -1)}_`);
  for (const route of routes.filter(({ auth }) => auth.startsWith('key'))) {
    expect((await send(bad, route)).status).toBe(401);
  }
});

test.each(withObject.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s of another merchant, of the other mode and with an unknown id get the same 404',
  async (_, route) => {
    const object = objects[pathTo(route)] as string;
    const nobodys = object.slice(0, -4) + (object.endsWith('0000') ? '1111' : '0000');
    const answers = [
      await send(stranger.api, route, object),
      await send(ownerLive, route, object),
      await send(owner.api, route, nobodys),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  },
);

test('a test key cannot mint a live one', async () => {
  const minted = await owner.api.post('/api/v1/keys', { mode: 'live' });
  expect([minted.status, minted.json.code]).toEqual([403, 'forbidden']);
});

test('no answer without an object in its path shows one of another merchant or mode', async () => {
  const shown = new Set<string>();
  for (const route of takesKeys.filter(({ method, objects: named }) => method === 'GET' && !named)) {
    const own = (await send(owner.api, route, WALLET)).text;
    const others = [await send(stranger.api, route, WALLET), await send(ownerLive, route, WALLET)];
    for (const object of Object.values(objects)) {
      if (own.includes(object)) shown.add(object);
      for (const { text } of others) expect(text).not.toContain(object);
    }
  }
  // Payments, keys and deliveries are in lists of their owner.
  expect(shown.size).toBeGreaterThanOrEqual(3);
});
