import { hasApiKeyForm } from '@tender/contracts';
import { AUDIT_STREAM, Unavailable } from '@tender/eventing';
import { hashOfKey } from './key-secret';
import { accountsStage, type AccountsStage } from './testing/accounts-stage';

const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const LOCAL_MINT = WALLET.replace('9x', '7x');
const TOKEN_ACCOUNT = WALLET.replace('9x', '6x');
const chain = {
  network: 'localnet',
  get mints() {
    if (is_chain_down) throw new Unavailable('chain');
    return { USDC: LOCAL_MINT, USDT: WALLET.replace('9x', '8x') };
  },
  accountKind: async (address: string) => {
    if (is_chain_down) throw new Unavailable('chain');
    return address === TOKEN_ACCOUNT ? 'token_account' : 'wallet';
  },
  balances: async () => {
    if (is_chain_down) throw new Unavailable('chain');
    return { USDC: 12_500_000n, USDT: 0n, SOL: 1n };
  },
};

let stage: AccountsStage;
let is_chain_down = false;
let shops = 0;

beforeAll(async () => {
  stage = await accountsStage(undefined, {
    chains: { test: chain, live: chain } as never,
    outbound: { refusal: async (url: string) => (url.includes('10.0.') ? 'is ours' : null) } as never,
  });
});
afterAll(() => stage?.close());

const post = (path: string, body: object | undefined, changes: object = {}) =>
  stage.send('POST', path, stage.caller(changes), body);
const signUpBody = (changes: object = {}) => ({
  name: ' Corner Shop ',
  email: `Owner${(shops += 1)}@Shop.example.com`,
  business_address: '5 High Street',
  ...changes,
});
const external = { wallet_generation_method: 'external', wallet_address: WALLET };
const signUp = (changes: object = {}, caller: object = {}) =>
  post('/api/v1/merchants', signUpBody(changes), caller);
const holderOf = (key: string) => stage.directory.authenticate(hashOfKey(key));

async function newShop() {
  const { json } = await signUp(external);
  const as = (changes: object = {}) => ({ merchant_id: json.id, ...changes });
  const keys = async (changes: object = {}) =>
    (await stage.send('GET', '/api/v1/keys', stage.caller(as(changes)))).json;
  return { id: json.id as string, key: json.api_key as string, as, keys };
}

test('an external merchant can be paid at once, and its key works at once', async () => {
  const { status, json } = await signUp(external);
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    name: 'Corner Shop',
    email: `Owner${shops}@Shop.example.com`,
    support_email: `Owner${shops}@Shop.example.com`,
    api_key: expect.stringMatching(/^svc_test_/) as string,
    passkey_setup_url: null,
    wallet_address: WALLET,
    created_at: expect.any(String) as string,
  });
  expect(hasApiKeyForm(json.api_key)).toBe(true);
  expect(await holderOf(json.api_key)).toEqual({
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
  const { json } = await signUp();
  expect(json).toMatchObject({
    wallet_address: null,
    passkey_setup_url: `http://dash.test/passkey-setup/${json.id}`,
  });
  const wallet = await stage.send(
    'GET',
    '/api/v1/merchants/me/wallet',
    stage.caller({ merchant_id: json.id }),
  );
  expect(wallet.json).toMatchObject({ wallet_type: 'mpc_passkey', usdc_balance: 0 });
});

test('one merchant per e-mail, in any case, also when ten sign up at once', async () => {
  const { name, email, business_address } = signUpBody();
  const spellings = Array.from({ length: 10 }, (_, n) => (n % 2 ? email : ` ${email.toLowerCase()} `));
  const answers = await Promise.all(
    spellings.map((spelling) =>
      post('/api/v1/merchants', { name, business_address, email: spelling, ...external }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const others = answers.filter(({ status }) => status !== 201);
  expect(new Set(others.map(({ json }) => json.code))).toEqual(new Set(['merchant_exists']));
});

test('the same sign-up again shows the same key for a day, and not after that', async () => {
  const repeat = { command_id: 'sign-up-1', id_seed: 'ab'.repeat(16) };
  const body = signUpBody();
  const first = await post('/api/v1/merchants', body, repeat);
  const again = await post('/api/v1/merchants', body, repeat);
  expect([again.status, again.text]).toEqual([201, first.text]);
  stage.advance(25 * 3600 * 1000);
  const next_day = await post('/api/v1/merchants', body, repeat);
  expect([next_day.status, next_day.json.code]).toEqual([409, 'merchant_exists']);
});

test.each([
  ['external without an address', { wallet_generation_method: 'external' }, 'wallet_address'],
  ['an address without external', { wallet_address: WALLET }, 'wallet_address'],
  ['a URL into our own network', { webhook_url: 'http://10.0.0.1' }, 'webhook_url'],
])('%s is a bad request', async (_, changes, field) => {
  const { status, json } = await signUp(changes);
  expect([status, json.details.fields[0].field]).toEqual([400, field]);
});

test.each([
  ['a mint of ours', LOCAL_MINT, 'is the mint of a token'],
  ['wrapped SOL', 'So11111111111111111111111111111111111111112', 'is the mint of a token'],
  ['the token program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'is a program'],
  ['a token account', TOKEN_ACCOUNT, 'is a token account'],
])('%s is no wallet', async (_, wallet_address, sentence) => {
  const { status, json } = await signUp({ ...external, wallet_address });
  expect([status, json.code]).toEqual([400, 'invalid_parameter']);
  expect(json.details.fields).toMatchObject([
    { field: 'wallet_address', message: expect.stringContaining(sentence) as string },
  ]);
});

test('a sign-up does not depend on a chain that does not answer', async () => {
  is_chain_down = true;
  const { status } = await signUp({ ...external, wallet_address: TOKEN_ACCOUNT });
  is_chain_down = false;
  expect(status).toBe(201);
});

test('nothing personal and no key is in the log or the tables in clear', async () => {
  const { json } = await signUp({ ...external, name: 'Canary Shop', email: 'canary@x.example.com' });
  const events = await stage.runtime.eventStore.load(`merchant.all-${json.id}`);
  const rows = await stage.runtime.readModels.query(
    'select row_to_json(m) from accounts.merchants m union all select row_to_json(k) from accounts.api_keys k',
  );
  const stored = JSON.stringify([events, rows]).toLowerCase();
  for (const canary of ['canary', 'high street', json.api_key.toLowerCase()]) {
    expect(stored).not.toContain(canary);
  }
});

test('keys: a test key mints test keys, a live key both, an admin the first live one', async () => {
  const shop = await newShop();
  const named = await post('/api/v1/api-keys', { name: 'Till 2', mode: 'test' }, shop.as());
  expect([named.status, named.json.name]).toEqual([201, 'Till 2']);
  const refused = await post('/api/v1/keys', { mode: 'live' }, shop.as());
  expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
  const first = await post(`/admin/merchants/${shop.id}/keys`, { mode: 'live', reason: 'go live' });
  expect([first.status, Object.keys(first.json)]).toEqual([201, ['key', 'id', 'mode', 'created_at']]);
  const live = await post('/api/v1/keys', { mode: 'live' }, shop.as({ mode: 'live' }));
  expect(await holderOf(live.json.key)).toMatchObject({ mode: 'live', merchant_id: shop.id });
  expect(await shop.keys({ mode: 'live' })).toHaveLength(2);
  const nobody = await post('/admin/merchants/nobody/keys', { mode: 'live' });
  expect(nobody.status).toBe(404);
});

test('a key that an admin makes is in the audit log, with the reason and without the key', async () => {
  const shop = await newShop();
  const reason = 'contract signed on 3 May';
  const body = { mode: 'live', reason };
  const { json } = await post(`/admin/merchants/${shop.id}/keys`, body, { actor: 'admin' });
  const entries = await stage.runtime.eventStore.load(AUDIT_STREAM);
  expect(entries.at(-1)?.data).toMatchObject({
    ...{ actor: 'admin', reason, route: 'POST /admin/merchants/{id}/keys' },
    what: { merchant_id: shop.id, mode: 'live' },
  });
  expect(JSON.stringify(entries)).not.toContain(json.key);
});

test('a rotation is atomic: no look-up that begins after it finds the old key', async () => {
  const shop = await newShop();
  const [{ id }] = await shop.keys();
  let has_answered = false;
  let late_accepted = 0;
  const late: (string | null)[] = [];
  const probe = async () => {
    const is_late = has_answered;
    const holder = await holderOf(shop.key);
    if (is_late) late.push(holder?.key_id ?? null);
    late_accepted += is_late && holder ? 1 : 0;
  };
  const rotation = post(`/api/v1/keys/${id}/rotate`, undefined, shop.as()).then((answer) => {
    has_answered = true;
    return answer;
  });
  while (!has_answered) {
    await Promise.all(Array.from({ length: 50 }, probe));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(Array.from({ length: 1000 }, probe));
  const { status, json } = await rotation;
  expect(status).toBe(200);
  expect([late.length >= 1000, late_accepted]).toEqual([true, 0]);
  expect(json).toMatchObject({ old_key_id: id, old_key_deactivated: true, mode: 'test' });
  expect(await holderOf(json.new_key)).toMatchObject({ key_id: json.new_key_id });
  expect(await shop.keys()).toMatchObject([
    { id: json.new_key_id, is_active: true },
    { id, is_active: false },
  ]);
  const again = await post(`/api/v1/keys/${id}/rotate`, undefined, shop.as());
  expect([again.status, again.json.code]).toEqual([409, 'key_already_rotated']);
});

test('another merchant’s key, one of the other mode and an unknown one are the same 404', async () => {
  const [shop, other] = await Promise.all([newShop(), newShop()]);
  const [{ id }] = await shop.keys();
  const answers = await Promise.all([
    post(`/api/v1/keys/${id}/rotate`, undefined, other.as()),
    post(`/api/v1/keys/${id}/rotate`, undefined, shop.as({ mode: 'live' })),
    post('/api/v1/keys/__proto__/rotate', undefined, shop.as()),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('the last use of a key shows, null before the first', async () => {
  const shop = await newShop();
  const [before] = await shop.keys();
  expect(Object.keys(before)).toEqual(['id', 'mode', 'is_active', 'created_at', 'last_used_at']);
  expect(before.last_used_at).toBeNull();
  stage.directory.used(before.id);
  const [after] = await shop.keys();
  expect(after.last_used_at >= after.created_at).toBe(true);
});

test('the wallet shows whole tokens; without the chain it is 503', async () => {
  const shop = await newShop();
  const wallet = () =>
    stage.send('GET', '/api/v1/merchants/me/wallet', stage.caller(shop.as({ mode: 'live' })));
  expect((await wallet()).json).toEqual({
    wallet_address: WALLET,
    wallet_type: 'external',
    network: 'localnet',
    mode: 'live',
    sol_balance: 0.000000001,
    usdc_balance: 12.5,
    usdt_balance: 0,
    has_mpc_wallet: false,
    operating_wallet_address: null,
  });
  is_chain_down = true;
  const down = await wallet();
  is_chain_down = false;
  expect([down.status, down.json.code]).toEqual([503, 'service_unavailable']);
});
