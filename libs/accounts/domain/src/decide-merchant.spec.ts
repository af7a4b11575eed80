import { specificationOf, stateAfter } from '@tender/eventing/testing';
import type { MerchantEvent } from './merchant';
import {
  merchantDecider,
  type CreateApiKey,
  type RegisterMerchant,
  type RotateApiKey,
  type UpdateMerchant,
} from './decide-merchant';

const merchant = {
  merchant_id: 'm1',
  name_sealed: 'sealed name',
  email_sealed: 'sealed e-mail',
  business_address_sealed: 'sealed address',
  wallet_type: 'external',
  wallet_address: 'W1',
  webhook_url: null,
  amount_max: 99_999_999,
  limits: null,
  created_at: '2026-01-01T00:00:00.000Z',
} as const;

const register: RegisterMerchant = {
  type: 'RegisterMerchant',
  merchant,
  key_id: 'key_1',
  key_hash: 'h1',
  passkey_setup: null,
};
const registered: MerchantEvent[] = [
  { type: 'MerchantRegistered', data: merchant },
  {
    type: 'ApiKeyCreated',
    data: {
      merchant_id: 'm1',
      key_id: 'key_1',
      mode: 'test',
      name: null,
      key_hash: 'h1',
      reason: null,
      created_at: merchant.created_at,
    },
  },
];
const later = '2026-01-02T00:00:00.000Z';
const create = (mode: 'test' | 'live', asked_by: 'test' | 'live' | 'admin'): CreateApiKey => ({
  type: 'CreateApiKey',
  asked_by,
  key_id: 'key_2',
  mode,
  name: 'Till 2',
  key_hash: 'h2',
  reason: null,
  created_at: later,
});
const rotate = (old_key_id: string, mode: 'test' | 'live' = 'test'): RotateApiKey => ({
  type: 'RotateApiKey',
  old_key_id,
  mode,
  key_id: 'key_9',
  key_hash: 'h9',
  created_at: later,
});
const rotated: MerchantEvent = {
  type: 'ApiKeyRotated',
  data: {
    merchant_id: 'm1',
    old_key_id: 'key_1',
    old_key_hash: 'h1',
    key_id: 'key_9',
    mode: 'test',
    name: null,
    key_hash: 'h9',
    created_at: later,
  },
};

const given = specificationOf(merchantDecider);

test('a sign-up registers the merchant and its first test key in one decision', () => {
  given().when(register).then(...registered);
});

test('one merchant per e-mail', () => {
  given(...registered).when(register).thenRefused('merchant_exists');
});

test.each([
  ['test', 'test'],
  ['test', 'live'],
  ['live', 'live'],
  ['live', 'admin'],
] as const)('a %s key may be asked for by %s', (mode, asked_by) => {
  const { decision } = given(...registered).when(create(mode, asked_by));
  expect(decision).toMatchObject({
    ok: true,
    events: [{ type: 'ApiKeyCreated', data: { key_id: 'key_2', mode, name: 'Till 2' } }],
  });
});

test('a test key does not mint a live one', () => {
  given(...registered).when(create('live', 'test')).thenRefused('live_key_from_test_key');
});

test('a merchant that does not exist gets no key', () => {
  given().when(create('live', 'admin')).thenRefused('merchant_unknown');
});

test('a rotation is one event that names both keys', () => {
  given(...registered).when(rotate('key_1')).then(rotated);
});

test.each([
  ['unknown', rotate('key_7')],
  ['of the other mode', rotate('key_1', 'live')],
  ['named like a property of every object', rotate('constructor')],
])('a key that is %s cannot be rotated', (_, command) => {
  given(...registered).when(command).thenRefused('key_unknown');
});

test('a rotated key is not rotated again', () => {
  given(...registered, rotated).when(rotate('key_1')).thenRefused('key_already_rotated');
});

test('after a rotation the old key is inactive and the new one active', () => {
  expect(stateAfter(merchantDecider, [...registered, rotated])).toMatchObject({
    keys: {
      key_1: { is_active: false, hash: 'h1', created_at: merchant.created_at },
      key_9: { is_active: true, hash: 'h9', created_at: later },
    },
  });
});

describe('update', () => {
  const updated_at = '2026-01-03T00:00:00.000Z';
  const update = (fields: object): UpdateMerchant => ({
    ...{ type: 'UpdateMerchant', changes: { ...fields, updated_at } },
  });
  test('changes what is named, and nothing else', () => {
    const changed: MerchantEvent = {
      type: 'MerchantUpdated',
      data: { merchant_id: 'm1', name_sealed: 'another name', updated_at },
    };
    given(...registered).when(update({ name_sealed: 'another name' })).then(changed);
    const before = stateAfter(merchantDecider, registered);
    const after = stateAfter(merchantDecider, [...registered, changed]);
    expect(after).toEqual({ ...before, name_sealed: 'another name' });
  });
  test('of nothing leaves no trace', () => given(...registered).when(update({})).then());
  test('of a merchant that there is not', () =>
    given().when(update({ name_sealed: 'n' })).thenRefused('merchant_unknown'));
});
