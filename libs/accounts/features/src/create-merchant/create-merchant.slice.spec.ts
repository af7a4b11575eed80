import { hasApiKeyForm } from '@tender/contracts';
import { external, LOCAL_MINT, Shops, TOKEN_ACCOUNT, WALLET } from '../testing/shops';

const shops = new Shops();
beforeAll(() => shops.start());
afterAll(shops.close);

test('an external merchant can be paid at once, and its key works at once', async () => {
  const { status, json } = await shops.signUp(external);
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    name: 'Corner Shop',
    email: shops.lastEmail,
    support_email: shops.lastEmail,
    api_key: expect.stringMatching(/^svc_test_/) as string,
    passkey_setup_url: null,
    wallet_address: WALLET,
    created_at: expect.any(String) as string,
  });
  expect(hasApiKeyForm(json.api_key)).toBe(true);
  expect(await shops.holderOf(json.api_key)).toEqual({
    key_id: expect.stringMatching(/^key_test_[0-9A-Za-z]{22}$/) as string,
    mode: 'test',
    merchant_id: json.id,
    merchant_name: 'Corner Shop',
    wallet: WALLET,
    amount_max: 99_999_999,
    limits: null,
  });
});

test('mpc_passkey is the default: a set-up URL, no wallet yet', async () => {
  const { json } = await shops.signUp();
  expect(json).toMatchObject({
    wallet_address: null,
    passkey_setup_url: expect.stringMatching(/^https:\/\/approve\.tender\.test\/passkey-setup#svc_setup_/) as string,
  });
  const wallet = await shops.stage.send(
    'GET',
    '/api/v1/merchants/me/wallet',
    shops.stage.caller({ merchant_id: json.id }),
  );
  expect(wallet.json).toMatchObject({ wallet_type: 'mpc_passkey', usdc_balance: 0 });
});

test('one merchant per e-mail, in any case, also when ten sign up at once', async () => {
  const { name, email, business_address } = shops.signUpBody();
  const spellings = Array.from({ length: 10 }, (_, n) => (n % 2 ? email : ` ${email.toLowerCase()} `));
  const answers = await Promise.all(
    spellings.map((spelling) =>
      shops.post('/api/v1/merchants', { name, business_address, email: spelling, ...external }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const others = answers.filter(({ status }) => status !== 201);
  expect(new Set(others.map(({ json }) => json.code))).toEqual(new Set(['merchant_exists']));
});

test('the same sign-up again shows the same key for a day, and not after that', async () => {
  const repeat = { command_id: 'sign-up-1', id_seed: 'ab'.repeat(16) };
  const body = shops.signUpBody();
  const first = await shops.post('/api/v1/merchants', body, repeat);
  const again = await shops.post('/api/v1/merchants', body, repeat);
  expect([again.status, again.text]).toEqual([201, first.text]);
  shops.stage.advance(25 * 3600 * 1000);
  const next_day = await shops.post('/api/v1/merchants', body, repeat);
  expect([next_day.status, next_day.json.code]).toEqual([409, 'merchant_exists']);
});

test.each([
  ['external without an address', { wallet_generation_method: 'external' }, 'wallet_address'],
  ['an address without external', { wallet_address: WALLET }, 'wallet_address'],
  ['a URL into our own network', { webhook_url: 'http://10.0.0.1' }, 'webhook_url'],
])('%s is a bad request', async (_, changes, field) => {
  const { status, json } = await shops.signUp(changes);
  expect([status, json.details.fields[0].field]).toEqual([400, field]);
});

test.each([
  ['a mint of ours', LOCAL_MINT, 'is the mint of a token'],
  ['wrapped SOL', 'So11111111111111111111111111111111111111112', 'is the mint of a token'],
  ['the token program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'is a program'],
  ['a token account', TOKEN_ACCOUNT, 'is a token account'],
])('%s is no wallet', async (_, wallet_address, sentence) => {
  const { status, json } = await shops.signUp({ ...external, wallet_address });
  expect([status, json.code]).toEqual([400, 'invalid_parameter']);
  expect(json.details.fields).toMatchObject([
    { field: 'wallet_address', message: expect.stringContaining(sentence) as string },
  ]);
});

test('a sign-up does not depend on a chain that does not answer', async () => {
  shops.is_chain_down = true;
  const { status } = await shops.signUp({ ...external, wallet_address: TOKEN_ACCOUNT });
  shops.is_chain_down = false;
  expect(status).toBe(201);
});

test('nothing personal and no key is in the log or the tables in clear', async () => {
  const { json } = await shops.signUp({ ...external, name: 'Canary Shop', email: 'canary@x.example.com' });
  const events = await shops.stage.runtime.eventStore.load(`merchant.all-${json.id}`);
  const rows = await shops.stage.runtime.readModels.query(
    'select row_to_json(m) from accounts.merchants m union all select row_to_json(k) from accounts.api_keys k',
  );
  const stored = JSON.stringify([events, rows]).toLowerCase();
  for (const canary of ['canary', 'high street', json.api_key.toLowerCase()]) {
    expect(stored).not.toContain(canary);
  }
});
