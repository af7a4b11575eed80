/** @landing embedded postgres eventstore */
import { newMerchant, type Merchant } from '../harness/merchants';
import { Person } from '../harness/person';
import { sharedProgram } from '../harness/running-program';

const program = sharedProgram();
let merchant: Merchant;
let person: Person;

beforeAll(async () => {
  merchant = await newMerchant(program);
  person = await Person.signIn(program, merchant.email);
});

test('a person reads what the merchant’s key reads', async () => {
  const { json, headers } = await person.get('/api/v1/merchants/me');
  expect(json).toMatchObject({ id: merchant.id, email: merchant.email });
  expect(headers['x-svc-mode']).toBe('test');
  const idsOf = ({ json }: { json: { id: string }[] }) => json.map(({ id }) => id);
  expect(idsOf(await person.get('/api/v1/keys'))).toEqual(idsOf(await merchant.api.get('/api/v1/keys')));
  const created = await person.post('/api/v1/payments', { amount: 5 });
  expect(created.status).toBe(200);
  expect((await merchant.api.get(`/api/v1/payments/${created.json.id}`)).json.id).toBe(created.json.id);
});

test('makes the first live key, and is in live mode from then on', async () => {
  expect((await merchant.api.post('/api/v1/keys', { mode: 'live' })).status).toBe(403);
  const minted = await person.post('/api/v1/keys', { mode: 'live' });
  expect(minted.status).toBe(201);
  expect((await program.client(minted.json.key).get('/api/v1/payments')).status).toBe(200);
  expect((await person.get('/api/v1/payments')).headers['x-svc-mode']).toBe('live');
  const in_test = await person.get('/api/v1/payments?mode=test&limit=1');
  expect([in_test.headers['x-svc-mode'], in_test.json.data.length]).toEqual(['test', 1]);
});

test('changes nothing for a page of another site (S32)', async () => {
  for (const headers of [{}, { origin: 'https://evil.example' }] as Record<string, string>[]) {
    const { status, json } = await person.send('POST', '/api/v1/payments', { amount: 5 }, headers);
    expect([status, json.code]).toEqual([403, 'forbidden']);
  }
});

test('is no operator (S37), and a key is no person (S33)', async () => {
  const path = `/admin/merchants/${merchant.id}/keys`;
  const body = { mode: 'live', reason: 'mine' };
  expect((await person.post(path, body)).status).toBe(403);
  expect((await merchant.api.post(path, body)).status).toBe(403);
  expect((await merchant.api.get('/api/v1/merchants/me/sessions')).status).toBe(403);
});

test('a session that is ended, by its own person or by another of the merchant, is over at once (S31)', async () => {
  const [phone, thief] = [
    await Person.signIn(program, merchant.email),
    await Person.signIn(program, merchant.email),
  ];
  expect((await phone.get('/api/v1/merchants/me/sessions')).json).toHaveLength(3);
  expect((await phone.send('DELETE', '/api/v1/merchants/me/sessions')).status).toBe(200);
  expect((await thief.get('/api/v1/merchants/me')).status).toBe(401);
  expect((await person.get('/api/v1/merchants/me')).status).toBe(401);
  expect((await phone.post('/api/v1/merchants/logout')).json).toEqual({ ended: true });
  expect((await phone.get('/api/v1/merchants/me')).status).toBe(401);
});
