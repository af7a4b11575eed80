import { specificationOf, stateAfter } from '@tender/eventing/testing';
import { merchantDecider } from './decide-merchant';
import {
  PASSKEYS_MAX,
  setupFault,
  type IssuePasskeySetup,
  type RegisterPasskey,
  type RemovePasskey,
} from './decide-passkeys';
import type { MerchantEvent, MerchantRegistered } from './merchant';
import {
  passkeyOf,
  passkeysOf,
  type PasskeyKind,
  type PasskeySetupIssued,
  type SetupAsker,
} from './passkey';

const created_at = '2026-01-01T00:00:00.000Z';
const now = '2026-01-01T00:10:00.000Z';
const expires_at = '2026-01-01T00:30:00.000Z';

const merchant = (wallet: 'external' | 'mpc_passkey'): MerchantRegistered['data'] => ({
  merchant_id: 'm1',
  name_sealed: 'sealed name',
  email_sealed: 'sealed e-mail',
  business_address_sealed: 'sealed address',
  wallet_type: wallet,
  wallet_address: wallet === 'external' ? 'W1' : null,
  webhook_url: null,
  amount_max: 99_999_999,
  limits: null,
  created_at,
});
const external: MerchantEvent = { type: 'MerchantRegistered', data: merchant('external') };
const without: MerchantEvent = { type: 'MerchantRegistered', data: merchant('mpc_passkey') };

const passkey = (passkey_id: string, kind: PasskeyKind = 'signing') => ({
  passkey_id,
  kind,
  public_key: 'pQECAyYg',
  counter: 0,
  transports: ['internal'],
  name_sealed: 'sealed Laptop',
  registered_at: now,
});
const register = (id: string, setup_token_hash: string | null = null): RegisterPasskey => ({
  type: 'RegisterPasskey',
  passkey: passkey(id),
  setup_token_hash,
});
const registered = (id: string, asked_by: SetupAsker = 'session'): MerchantEvent => ({
  type: 'PasskeyRegistered',
  data: { merchant_id: 'm1', ...passkey(id), asked_by },
});
const issued = (token_hash: string, asked_by: SetupAsker = 'session'): MerchantEvent => ({
  type: 'PasskeySetupIssued',
  data: { merchant_id: 'm1', token_hash, asked_by, expires_at },
});
const used = (token_hash: string): MerchantEvent => ({
  type: 'PasskeySetupUsed',
  data: { merchant_id: 'm1', token_hash, used_at: now },
});
const issueAs = (asked_by: IssuePasskeySetup['asked_by']): IssuePasskeySetup => ({
  type: 'IssuePasskeySetup',
  asked_by,
  setup: { token_hash: 't2', expires_at },
});
const remove = (passkey_id: string): RemovePasskey => ({
  type: 'RemovePasskey',
  passkey_id,
  removed_at: now,
});
const removed = (passkey_id: string): MerchantEvent => ({
  type: 'PasskeyRemoved',
  data: { merchant_id: 'm1', passkey_id, removed_at: now },
});

const given = specificationOf(merchantDecider);

test('a merchant that comes without a wallet gets its set-up link in the decision that registers it', () => {
  const passkey_setup = { token_hash: 't1', expires_at };
  given()
    .when({
      type: 'RegisterMerchant',
      merchant: merchant('mpc_passkey'),
      key_id: 'key_1',
      key_hash: 'h1',
      passkey_setup,
    })
    .then(
      without,
      {
        type: 'ApiKeyCreated',
        data: {
          merchant_id: 'm1',
          key_id: 'key_1',
          mode: 'test',
          name: null,
          key_hash: 'h1',
          reason: null,
          created_at,
        },
      },
      issued('t1', 'sign_up'),
    );
});

describe('registration', () => {
  test('adds a passkey', () => {
    given(external).when(register('c1')).then(registered('c1'));
    const state = stateAfter(merchantDecider, [external, registered('c1')]);
    expect(state).toMatchObject({ passkeys: { c1: { id: 'c1', kind: 'signing', name_sealed: 'sealed Laptop' } } });
  });
  test('of a credential that is registered is refused', () =>
    given(external, registered('c1')).when(register('c1')).thenRefused('passkey_known'));
  test(`stops at ${PASSKEYS_MAX} passkeys`, () => {
    const full = Array.from({ length: PASSKEYS_MAX }, (_, n) => registered(`c${n}`));
    given(external, ...full).when(register('one more')).thenRefused('too_many_passkeys');
    given(external, ...full, removed('c3')).when(register('one more')).then(registered('one more'));
  });
  test('of a merchant that there is not', () =>
    given().when(register('c1')).thenRefused('merchant_unknown'));
  test('with a set-up token uses it up where nothing else completes the set-up', () => {
    given(external, issued('t1')).when(register('c1', 't1')).then(registered('c1'), used('t1'));
    given(without, issued('t1')).when(register('c1', 't1')).then(registered('c1'));
  });
  test.each([
    ['never issued', [], 'setup_unknown'],
    ['replaced by a newer one', [issued('t1'), issued('t2')], 'setup_unknown'],
    ['used', [issued('t1'), used('t1')], 'setup_used'],
  ] as const)('with a token that was %s is refused', (_, before, code) => {
    given(without, ...before).when(register('c1', 't1')).thenRefused(code);
  });
});

test('a set-up token ends at its time, to the millisecond', () => {
  const state = stateAfter(merchantDecider, [without, issued('t1')]);
  if (state.status === 'unknown') throw new Error('no merchant');
  expect(setupFault(state, 't1', '2026-01-01T00:29:59.999Z')).toBeNull();
  expect(setupFault(state, 't1', expires_at)).toBe('setup_expired');
});

test('a new set-up token is unused, and the use of an earlier one does not touch it', () => {
  const issue = issueAs('test');
  given(without, issued('t1'), used('t1')).when(issue).then(issued('t2', 'key'));
  given().when(issue).thenRefused('merchant_unknown');
  const state = stateAfter(merchantDecider, [without, issued('t1'), issued('t2'), used('t1')]);
  expect(state).toMatchObject({ passkey_setup: { token_hash: 't2', used_at: null } });
});

test('S5: a test key makes no set-up link of a merchant who has a live key', () => {
  const live: MerchantEvent = {
    type: 'ApiKeyCreated',
    data: {
      ...{ merchant_id: 'm1', key_id: 'key_2', mode: 'live', name: null, key_hash: 'h2' },
      ...{ reason: null, created_at },
    },
  };
  given(without, live).when(issueAs('test')).thenRefused('live_merchant_from_test_key');
  given(without, live).when(issueAs('live')).then(issued('t2', 'key'));
  given(without, live).when(issueAs('session')).then(issued('t2', 'session'));
});

describe('S5: a link that an API key has asked for', () => {
  const by_key = issued('t1', 'key');
  const login: MerchantEvent = {
    type: 'PasskeyRegistered',
    data: { merchant_id: 'm1', ...passkey('login', 'login'), asked_by: 'session' },
  };
  test('registers no first signing passkey', () => {
    for (const before of [[external], [external, login], [without], [external, registered('c1'), removed('c1')]]) {
      given(...before, by_key).when(register('c2', 't1')).thenRefused('setup_by_key');
    }
  });
  test('adds one to the passkeys of a merchant with a wallet of its own, and says that a key did', () =>
    given(external, registered('c1'), by_key)
      .when(register('c2', 't1'))
      .then(registered('c2', 'key'), used('t1')));
  test('registers none where a passkey may make the wallet, or keeps a share of it', () =>
    given(without, registered('c1'), by_key).when(register('c2', 't1')).thenRefused('setup_by_key'));
  test('counts for as little where the log does not say who asked', () => {
    const { asked_by: _, ...data } = by_key.data as PasskeySetupIssued['data'];
    const before = { type: 'PasskeySetupIssued', data } as MerchantEvent;
    given(external, before).when(register('c1', 't1')).thenRefused('setup_by_key');
  });
  test('leaves to the link of a sign-up or a session what it may not do', () => {
    for (const asked_by of ['sign_up', 'session'] as const) {
      given(without, issued('t1', asked_by)).when(register('c1', 't1')).then(registered('c1', asked_by));
    }
  });
});

describe('removal', () => {
  test('takes the passkey out', () => {
    given(external, registered('c1')).when(remove('c1')).then(removed('c1'));
    const state = stateAfter(merchantDecider, [external, registered('c1'), removed('c1')]);
    expect(passkeysOf(state as never)).toEqual([]);
  });
  test.each(['c2', 'constructor'])('of %s, which is none of the merchant’s', (id) =>
    given(external, registered('c1')).when(remove(id)).thenRefused('passkey_unknown'));
});

test('a merchant folded before there were passkeys has none', () => {
  const state = stateAfter(merchantDecider, [external]);
  if (state.status === 'unknown') throw new Error('no merchant');
  expect(passkeysOf(state)).toEqual([]);
  expect(passkeyOf(state, 'toString')).toBeUndefined();
});
