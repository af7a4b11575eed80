import { decide } from '@tender/kernel';
import { alarmsTooMuch, mayBegin, operatingWalletDecider, type FreezeWallet } from './decide-operating-wallet';
import type { OperatingWallet, OperatingWalletEvent, RunningSigner } from './operating-wallet';
import history from './recorded/operating-wallet-v1.json';

const merchant_id = 'd7b2e1f0-5c1a-8b6e-9f00-1a2b3c4d5e60';
const settlement_wallet = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const address = '7Yq2oGQ4ZzWw3bW5sZg9m7bQJ9gQxk5vNn4tVd1uS8cP';
const at = (second: number): string => `2026-01-01T00:01:${String(second).padStart(2, '0')}.000Z`;
const a_minute_later = '2026-01-01T00:02:00.000Z';
const roster = { roster: { v: 1 }, signatures: {} };

const { initial, evolve } = operatingWalletDecider;
const after = (...events: readonly OperatingWalletEvent[]): OperatingWallet =>
  events.reduce(evolve, initial);

const begun = (session: string): OperatingWalletEvent => ({
  type: 'OperatingWalletBegun',
  data: { merchant_id, settlement_wallet, session, begun_at: at(0) },
});
const failed: OperatingWalletEvent = {
  type: 'CeremonyFailed',
  data: { merchant_id, session: 's1', code: 'dkg_share_invalid', culprit: 'B', failed_at: at(0) },
};
const opened: OperatingWalletEvent = {
  type: 'OperatingWalletOpened',
  data: { merchant_id, session: 's1', address, roster, opened_at: at(1) },
};
const alarms = [{ role: 'A', code: 'tx_destination_mismatch' }] as const;
const alarmed: OperatingWalletEvent = {
  type: 'SignersAlarmed',
  data: { merchant_id, address, operation_id: 'op', alarms, alarmed_at: at(2) },
};
const frozen = (...signers: readonly RunningSigner[]): OperatingWalletEvent => ({
  type: 'OperatingWalletFrozen',
  data: { merchant_id, address, by: 'merchant', reason: 'stolen key', signers, frozen_at: at(3) },
});

const unfrozen: OperatingWalletEvent = {
  type: 'OperatingWalletUnfrozen',
  data: { merchant_id, address, passkey_id: 'key-1', unfrozen_at: at(4) },
};
const limited = (day_limit_cents: number): OperatingWalletEvent => ({
  type: 'OperatingWalletLimited',
  data: { merchant_id, address, day_limit_cents, passkey_id: 'key-1', limited_at: at(5) },
});

const begin = (session: string, when = at(0)) => ({
  ...{ type: 'BeginWallet', merchant_id, settlement_wallet, session, at: when },
});
const open = (session: string) => ({ type: 'OpenWalletOf', session, address, roster, at: at(1) });
const fail = (session: string) => ({
  ...{ type: 'FailCeremony', session, code: 'dkg_share_invalid', culprit: 'B', at: at(0) },
});
const raise = { type: 'RaiseAlarms', operation_id: 'op', alarms, at: at(2) };
const freeze = (...signers: readonly RunningSigner[]): FreezeWallet => ({
  ...{ type: 'FreezeWallet', by: 'merchant', reason: 'stolen key', signers, at: at(3) },
});

const unfreeze = { type: 'UnfreezeWallet', passkey_id: 'key-1', at: at(4) };
const limit = (day_limit_cents: number) => ({
  ...{ type: 'LimitWallet', day_limit_cents, passkey_id: 'key-1', at: at(5) },
});

const ENDED = [begun('s1'), opened] as const;

type Events = readonly OperatingWalletEvent[];
test.each<[string, Events, object, string | Events]>([
  ['the first ceremony begins', [], begin('s1'), [begun('s1')]],
  ['one that was given up is begun again', [begun('s1')], begin('s2'), [begun('s2')]],
  ['right after a failure none begins', [begun('s1'), failed], begin('s2', at(59)), 'ceremony_failed_before'],
  ['an open wallet stays as it is', ENDED, begin('s2'), 'wallet_open'],

  ['a failure is kept', [begun('s1')], fail('s1'), [failed]],
  ['of an older ceremony it is not', [begun('s1'), begun('s2')], fail('s1'), []],
  ['and nothing fails once the wallet is open', ENDED, fail('s1'), []],

  ['nor what a party has refused before it began', [], fail('s1'), 'ceremony_replaced'],

  ['the ceremony that has begun opens the wallet', [begun('s1')], open('s1'), [opened]],
  ['one that was replaced is dropped', [begun('s1'), begun('s2')], open('s1'), 'ceremony_replaced'],
  ['none opens a wallet without having begun', [], open('s1'), 'ceremony_replaced'],
  ['a second key is never published', ENDED, open('s1'), 'wallet_open'],

  ['alarms are kept', ENDED, raise, [alarmed]],
  ['of a wallet that is none there are none', [begun('s1')], raise, 'wallet_not_ready'],

  ['one signer is enough to stop it', ENDED, freeze('B'), [frozen('B')]],
  ['the other one is told of, too', [...ENDED, frozen('B')], freeze('A'), [frozen('A', 'B')]],
  ['frozen again is frozen', [...ENDED, frozen('A', 'B')], freeze('A'), []],
  ['a passkey lets it go on', [...ENDED, frozen('A', 'B')], unfreeze, [unfrozen]],
  ['what goes on needs none', [...ENDED, frozen('A'), unfrozen], unfreeze, 'wallet_not_frozen'],
  ['and without a wallet there is nothing to let go on', [begun('s1')], unfreeze, 'wallet_not_ready'],
  ['a passkey limits it', ENDED, limit(500_00), [limited(500_00)]],
  ['to more or less than before', [...ENDED, limited(500_00)], limit(400_00), [limited(400_00)]],
  ['the same limit is no change', [...ENDED, limited(500_00)], limit(500_00), []],
  ['without a wallet nothing is limited', [begun('s1')], limit(500_00), 'wallet_not_ready'],
  ['without a wallet nothing is frozen', [begun('s1')], freeze('A', 'B'), 'wallet_not_ready'],
])('%s', (_, before, command, expected) => {
  const decision = decide(operatingWalletDecider, command as never, after(...before));
  expect(decision).toEqual(
    typeof expected === 'string' ? { ok: false, refusal: expected } : { ok: true, events: expected },
  );
});

test('a minute after a failure a ceremony may begin again', () => {
  const state = after(begun('s1'), { ...failed, data: { ...failed.data, failed_at: at(0) } } as typeof failed);
  expect(mayBegin(state, '2026-01-01T00:01:59.999Z')).toBe(false);
  expect(mayBegin(state, a_minute_later)).toBe(true);
});

test('the first reason to freeze stays when the wallet is frozen again', () => {
  const by_alarms: FreezeWallet = { ...freeze('A'), by: 'alarms', reason: null };
  const state = after(...ENDED, frozen('B'));
  expect(decide(operatingWalletDecider, by_alarms, state)).toEqual({ ok: true, events: [frozen('A', 'B')] });
});

test('three alarms are too many, until the wallet is frozen', () => {
  expect(alarmsTooMuch(after(...ENDED, alarmed, alarmed))).toBe(false);
  expect(alarmsTooMuch(after(...ENDED, alarmed, alarmed, alarmed))).toBe(true);
  expect(alarmsTooMuch(after(...ENDED, alarmed, alarmed, alarmed, frozen('A')))).toBe(false);
});

test('alarms are counted from zero once a passkey has let the wallet go on', () => {
  const again = after(...ENDED, alarmed, alarmed, alarmed, frozen('A'), unfrozen, alarmed, alarmed);
  expect(alarmsTooMuch(again)).toBe(false);
  expect(alarmsTooMuch(evolve(again, alarmed))).toBe(true);
});

test('a recorded history of version 1 folds as it did', () => {
  const events = history.events as unknown as OperatingWalletEvent[];
  expect(after(...events)).toEqual(history.state);
  const allowed = history.allowed.events as unknown as OperatingWalletEvent[];
  expect(after(...events, ...allowed)).toEqual({ ...history.state, ...history.allowed.state });
});
