import { decide } from '@tender/kernel';
import { sponsorDecider, type Sponsor, type SponsorEvent } from './sponsor';
import { canPay, failsTooOften, quotaSpent, type QuotaSpent, type Usage } from './quotas';
import history from './recorded/sponsor-v1.json';

const at = '2026-01-01T00:00:00.000Z';
const after = (...events: SponsorEvent[]): Sponsor =>
  events.reduce(sponsorDecider.evolve, sponsorDecider.initial);
const byAdmin: SponsorEvent = { type: 'SponsorPaused', data: { by: 'admin', reason: 'drain', at } };
const byFailures: SponsorEvent = {
  type: 'SponsorPaused',
  data: { by: 'failures', reason: 'many', at },
};
const resumed: SponsorEvent = { type: 'SponsorResumed', data: { reason: 'fixed', at } };
const switched = (state: Sponsor, enabled: boolean, reason: string) =>
  decide(sponsorDecider, { type: 'SwitchSponsor', enabled, reason, at }, state);
const failing = (state: Sponsor) =>
  decide(sponsorDecider, { type: 'PauseAfterFailures', reason: 'many', at }, state);

test('an admin stops the sponsor, whatever stopped it before, and starts it again', () => {
  for (const state of [after(), after(byFailures), after(byAdmin)]) {
    expect(switched(state, false, 'drain')).toEqual({ ok: true, events: [byAdmin] });
  }
  expect(switched(after(byFailures), true, 'fixed')).toEqual({ ok: true, events: [resumed] });
  expect(switched(after(), true, 'fixed')).toEqual({ ok: true, events: [] });
});

test('failures stop it once, and never start it', () => {
  expect(failing(after())).toEqual({ ok: true, events: [byFailures] });
  expect(failing(after(byAdmin))).toEqual({ ok: true, events: [] });
  expect(after(byFailures, resumed)).toEqual({ paused: null, resumed_at: at });
});

test('a recorded history of version 1 folds as it did', () => {
  expect(after(...(history.events as SponsorEvent[]))).toEqual(history.state);
});

test.each<[QuotaSpent | null, Partial<Usage>, boolean?]>([
  ['wallet_quota', { wallet_day: 20 }],
  ['address_quota', { address_hour: 100 }],
  ['merchant_quota', { merchant_day: 1_000 }],
  ['lamport_budget', { lamports_day: 990_001n }],
  ['too_many_failures', { failed_hour: 5 }],
  [null, { wallet_day: 19, address_hour: 99, merchant_day: 999 }],
  [null, { lamports_day: 990_000n, failed_hour: 4 }],
  [null, { accounts_lamports_day: 490_001n, merchant_accounts: 4 }],
  ['merchant_accounts', { merchant_accounts: 4 }, true],
  ['account_budget', { accounts_lamports_day: 490_001n }, true],
  ['lamport_budget', { lamports_day: 990_001n }, true],
  [null, { accounts_lamports_day: 490_000n, merchant_accounts: 3 }, true],
])('%s', (spent, used, makes_account = false) => {
  const quotas = {
    ...{ per_wallet_day: 20, per_address_hour: 100, per_merchant_day: 1_000 },
    lamports_day: 1_000_000n,
  };
  const nothing = {
    ...{ wallet_day: 0, address_hour: 0, merchant_day: 0, failed_hour: 0 },
    ...{ lamports_day: 0n, accounts_lamports_day: 0n, merchant_accounts: 0 },
  };
  const cost = { lamports: 10_000n, makes_account };
  expect(quotaSpent(quotas, { ...nothing, ...used }, cost)).toBe(spent);
});

test('failures of five addresses or more, and of a half of all, are too many', () => {
  const rates = [
    [4, 4, 4],
    [5, 5, 5],
    [10, 5, 5],
    [11, 5, 5],
    // One customer, who lets them fail.
    [20, 20, 4],
  ].map(([ended = 0, failed = 0, failing_addresses = 0]) =>
    failsTooOften({ ended, failed, failing_addresses }),
  );
  expect(rates).toEqual([false, true, true, false, false]);
});

test('the sponsor keeps what the chain wants an account to keep', () => {
  expect(canPay(900_880n, 0n, 10_000n)).toBe(true);
  expect(canPay(900_879n, 0n, 10_000n)).toBe(false);
  expect(canPay(900_880n, 1n, 10_000n)).toBe(false);
});
