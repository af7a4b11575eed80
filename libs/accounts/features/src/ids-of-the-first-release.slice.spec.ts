import { apiKeyOf } from '@tender/contracts';
import { hashOfKey } from './key-secret';
import { accountsStage, type AccountsStage } from './testing/accounts-stage';

const KEY_ID = `key_${'1'.repeat(22)}`;
const KEY = apiKeyOf('test', Buffer.alloc(32, 1));
const MINTED = { command_id: 'minted-then', body_hash: 'of then' };

let stage: AccountsStage;
let merchant_id: string;

beforeAll(async () => {
  stage = await accountsStage();
  const signed_up = await stage.send('POST', '/api/v1/merchants', stage.caller(), {
    name: 'Shop',
    email: 'owner@shop.example.com',
    business_address: '5 High Street',
  });
  merchant_id = signed_up.json.id as string;
  await keyOfFirstRelease();
  await stage.settle();
});
afterAll(() => stage?.close());

/** A key as the first release made it, in answer to a request with an Idempotency-Key. */
async function keyOfFirstRelease(): Promise<void> {
  const { eventStore } = stage.runtime;
  const stream = `merchant.all-${merchant_id}` as const;
  const history = await eventStore.load(stream);
  const type = 'ApiKeyCreated';
  const made = history.find((event) => event.type === type);
  if (!made) throw new Error('a sign-up makes a key');
  const data = { ...made.data, key_id: KEY_ID, key_hash: hashOfKey(KEY) };
  const metadata = { ...made.metadata, ...MINTED, id: stage.runtime.random.uuid() };
  await eventStore.append(stream, [{ type, data, metadata }], history.length - 1);
}

const post = (path: string, body?: object, changes: object = {}) =>
  stage.send('POST', path, stage.caller({ merchant_id, ...changes }), body);

test('a repeat of the request that made a key answers with the id of that key', async () => {
  const { status, json } = await post('/api/v1/keys', { mode: 'test' }, MINTED);
  expect([status, json.id]).toEqual([201, KEY_ID]);
});

test('a key is listed, works and is rotated by the id that it has; the new one’s says its mode', async () => {
  const { json: keys } = await stage.send('GET', '/api/v1/keys', stage.caller({ merchant_id }));
  expect((keys as { id: string }[]).map(({ id }) => id)).toContain(KEY_ID);
  const holder = await stage.directory.authenticate(hashOfKey(KEY));
  expect(holder).toMatchObject({ key_id: KEY_ID, mode: 'test' });

  const rotate = (changes?: object) => post(`/api/v1/keys/${KEY_ID}/rotate`, undefined, changes);
  expect((await rotate({ mode: 'live' })).status).toBe(404);
  const { status, json } = await rotate();
  expect([status, json.old_key_id]).toEqual([200, KEY_ID]);
  expect(json.new_key_id).toMatch(/^key_test_[0-9A-Za-z]{22}$/);
});

test('the id of a key says the key’s own mode, not that of its caller', async () => {
  const { json } = await post('/api/v1/keys', { mode: 'test' }, { mode: 'live' });
  expect(json.id).toMatch(/^key_test_/);
  const admin = await post(`/admin/merchants/${merchant_id}/keys`, { mode: 'live' });
  expect(admin.json.id).toMatch(/^key_live_/);
});
