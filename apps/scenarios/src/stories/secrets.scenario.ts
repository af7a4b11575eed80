/**
 * @landing postgres
 * @program own
 * @needs kafka-process
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Keypair } from '@solana/web3.js';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { newMerchant } from '../harness/merchants';
import { Person } from '../harness/person';

let program: Program;
let receiver: Receiver;

beforeAll(async () => {
  [program, receiver] = await Promise.all([
    // Its own Kafka: what that keeps is looked into as well.
    Program.start({ LOG_LEVEL: 'debug', KAFKA_SOURCE: 'jars', KAFKA_NAMESPACE: '' }),
    Receiver.start(),
  ]);
});
afterAll(async () => {
  await receiver.close();
  await program.discard();
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(file) : entry.isFile() ? [file] : [];
  });
}

test('keys, webhook and client secrets, and e-mails are nowhere in clear', async () => {
  const merchant = await newMerchant(program, { name: 'Canary Yellow Ltd' });
  const configured = await merchant.api.put('/api/v1/merchants/me/webhook', {
    webhook_url: receiver.url,
  });
  const customer_email = 'canary.customer@tender.test';
  const minted = await merchant.api.post(
    '/api/v1/keys',
    { mode: 'test' },
    { 'idempotency-key': 'c1' },
  );
  await merchant.api.post(
    '/api/v1/payments',
    { amount: 3, customer_email },
    { 'idempotency-key': 'c2' },
  );
  const customer = { email: 'canary.of.link@tender.test', phone: '+1 555 0100 canary' };
  const link = await merchant.api.post('/api/v1/payment-links', { amount: 3, customer });
  const begun = await program.client().post(`/api/v1/payment-links/${link.json.id}/pay`);
  const intent = await merchant.api.post('/api/v1/payment-intents', { amount: 3 });
  const { client_secret } = intent.json;
  const confirm = (body: object, id: string = intent.json.id) =>
    merchant.api.post(`/api/v1/payment-intents/${id}/confirm`, body);
  const customer_wallet = Keypair.generate().publicKey.toBase58();
  const other = await merchant.api.post('/api/v1/payment-intents', { amount: 3 });
  const refusals = [
    await confirm({ customer_wallet, client_secret: [client_secret] }),
    await confirm({ customer_wallet: client_secret, client_secret }),
    await confirm({ customer_wallet, client_secret }, other.json.id),
    await program.client().post(`/api/v1/payments/${begun.json.payment_id}/customer-info`, customer),
    await program.client(`${merchant.key.slice(0, -1)}~`).get('/api/v1/payments'),
    await merchant.api.post('/api/v1/payments', { amount: merchant.key }),
    await merchant.api.get(`/api/v1/payments/${merchant.key}`),
    await program.client().post('/api/v1/merchants', { email: merchant.email, name: 'x' }),
  ];
  expect((await confirm({ customer_wallet, client_secret })).status).toBe(200);
  await receiver.until(() => receiver.events('PaymentIntentRequiresPayment').length > 1);

  const person = await Person.signIn(program, merchant.email);
  await person.post('/api/v1/payments', { amount: 3 });

  const canaries = {
    'the first key': merchant.key,
    'a minted key': minted.json.key as string,
    'the webhook secret': configured.json.webhook_secret as string,
    'the secret’s bytes': (configured.json.webhook_secret as string).slice('whsec_'.length),
    'the client secret of an intent': (client_secret as string).split('_secret_')[1] as string,
    'the token of a session': person.cookie.split('=')[1] as string,
    // Six digits alone stand in many a number.
    'a login code': `"${person.code}"`,
    'the merchant’s e-mail': merchant.email,
    'the customer’s e-mail': customer_email,
    'the e-mail of a link’s customer': customer.email,
    'the phone of a link’s customer': customer.phone,
  };
  // Its Postgres ends in order, and writes to its files what it has.
  await program.stop();

  const places: [string, string][] = [
    ['the log lines', program.output],
    ...refusals.map(({ text }, index): [string, string] => [`refusal ${index + 1}`, text]),
    ...receiver.deliveries.map(({ body }): [string, string] => ['a webhook', body]),
    ...filesUnder(program.data_dir).map((file): [string, string] => [
      path.relative(program.data_dir, file),
      readFileSync(file, 'latin1'),
    ]),
  ];
  const leaks = Object.entries(canaries).flatMap(([name, canary]) =>
    places.filter(([, text]) => text.includes(canary)).map(([place]) => `${name} in ${place}`),
  );
  expect(leaks).toEqual([]);
});
