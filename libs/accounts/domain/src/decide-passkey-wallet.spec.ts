import { specificationOf, stateAfter } from '@tender/eventing/testing';
import { merchantDecider } from './decide-merchant';
import type {
  AgreePasskeyWallet,
  BeginPasskeyWallet,
  ConfirmPasskeyWallet,
  SealShare,
} from './decide-passkey-wallet';
import type { MerchantEvent } from './merchant';

const AT = '2026-05-01T10:00:00.000Z';
const TOKEN = 'hash of the token';

const registered: MerchantEvent = {
  type: 'MerchantRegistered',
  data: {
    ...{ merchant_id: 'm1', name_sealed: '', email_sealed: '', business_address_sealed: '' },
    ...{ wallet_type: 'mpc_passkey', wallet_address: null, webhook_url: 'https://shop.test/hooks' },
    ...{ amount_max: 99_999_999, limits: null, created_at: AT },
  },
};
const issued: MerchantEvent = {
  type: 'PasskeySetupIssued',
  data: {
    ...{ merchant_id: 'm1', token_hash: TOKEN, asked_by: 'sign_up' },
    expires_at: '2026-05-01T10:30:00.000Z',
  },
};
const passkey = (passkey_id: string, kind: 'signing' | 'login'): MerchantEvent => ({
  type: 'PasskeyRegistered',
  data: {
    ...{ merchant_id: 'm1', passkey_id, kind, public_key: 'cose', counter: 0 },
    ...{ transports: [], name_sealed: 'sealed', asked_by: 'session', registered_at: AT },
  },
});
const begun = (session: string, begun_at = AT): MerchantEvent => ({
  type: 'PasskeyWalletBegun',
  data: { merchant_id: 'm1', session, plan: { of: session }, round1: { by: 'A' }, begun_at },
});
const agreed = (session: string): MerchantEvent => ({
  type: 'PasskeyWalletAgreed',
  data: { merchant_id: 'm1', session, roster: { of: session }, signature: 'by A', agreed_at: AT },
});
const created: MerchantEvent = {
  type: 'WalletCreated',
  data: {
    ...{ merchant_id: 'm1', session: 's1', wallet_address: 'W1', roster: { signed: 's1' } },
    ...{ passkey_id: 'laptop', sealed_share_c: 'sealed', webhook_url: 'https://shop.test/hooks' },
    created_at: AT,
  },
};
const used: MerchantEvent = {
  type: 'PasskeySetupUsed',
  data: { merchant_id: 'm1', token_hash: TOKEN, used_at: AT },
};
const BEFORE = [registered, issued, passkey('laptop', 'signing'), passkey('phone', 'login')] as const;

const begin = (changes: Partial<BeginPasskeyWallet> = {}): BeginPasskeyWallet => ({
  ...{ type: 'BeginPasskeyWallet', session: 's1', plan: { of: 's1' }, round1: { by: 'A' } },
  ...{ setup_token_hash: TOKEN, at: AT, ...changes },
});
const agree = (changes: Partial<AgreePasskeyWallet> = {}): AgreePasskeyWallet => ({
  ...{ type: 'AgreePasskeyWallet', session: 's1', roster: { of: 's1' }, signature: 'by A' },
  ...{ setup_token_hash: TOKEN, at: AT, ...changes },
});
const confirm = (changes: Partial<ConfirmPasskeyWallet> = {}): ConfirmPasskeyWallet => ({
  ...{ type: 'ConfirmPasskeyWallet', session: 's1', wallet_address: 'W1', roster: { signed: 's1' } },
  ...{ passkey_id: 'laptop', sealed_share_c: 'sealed', setup_token_hash: TOKEN, at: AT, ...changes },
});
const seal = (changes: Partial<SealShare> = {}): SealShare => ({
  ...{ type: 'SealShare', passkey_id: 'tablet', sealed_share_c: 'sealed again' },
  ...{ setup_token_hash: null, at: AT, ...changes },
});

const given = specificationOf(merchantDecider);

describe('a ceremony', () => {
  test('S5: has no step by the link that an API key has asked for', () => {
    const by_key = { ...issued, data: { ...issued.data, asked_by: 'key' } } as MerchantEvent;
    const before = [registered, by_key, passkey('laptop', 'signing')] as const;
    given(...before).when(begin()).thenRefused('setup_by_key');
    given(...before, begun('s1')).when(agree()).thenRefused('setup_by_key');
    given(...before, begun('s1'), agreed('s1')).when(confirm()).thenRefused('setup_by_key');
  });

  test('begins, and a newer one takes its place', () => {
    given(...BEFORE).when(begin()).then(begun('s1'));
    const ceremony = stateAfter(merchantDecider, [...BEFORE, begun('s1'), agreed('s1'), begun('s2')]);
    expect(ceremony).toMatchObject({ wallet_ceremony: { session: 's2', agreed: null, round3: null } });
  });

  test.each([
    ['setup_used', [used], {}],
    ['setup_expired', [], { at: '2026-05-01T10:30:00.000Z' }],
    ['setup_unknown', [], { setup_token_hash: 'of an earlier link' }],
    ['wallet_exists', [created], {}],
  ] as const)('is not begun: %s', (refusal, events, changes) => {
    given(...BEFORE, ...events).when(begin(changes)).thenRefused(refusal);
  });

  test('is not begun an eleventh time within an hour', () => {
    const at = (minute: number): string => `2026-05-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
    const ten = Array.from({ length: 10 }, (_, n) => begun(`s${n}`, at(n)));
    const asked = begin({ setup_token_hash: null, at: at(59) });
    const { decision } = given(...BEFORE, ...ten).when(asked);
    expect(decision).toEqual({
      ...{ ok: false, refusal: 'too_many_ceremonies' },
      details: { next_at: '2026-05-01T11:00:00.000Z' },
    });
    const later = begin({ setup_token_hash: null, at: '2026-05-01T11:00:00.000Z' });
    expect(given(...BEFORE, ...ten).when(later).decision).toMatchObject({ ok: true });
  });

  test('that is not the newest comes to nothing', () => {
    given(...BEFORE, begun('s1'), begun('s2')).when(agree()).thenRefused('ceremony_unknown');
    given(...BEFORE, begun('s1'), agreed('s1'), begun('s2')).when(confirm()).thenRefused('ceremony_unknown');
  });
});

describe('a wallet', () => {
  test('is there once it is confirmed, and the link is used up in the same append', () => {
    given(...BEFORE, begun('s1'), agreed('s1')).when(confirm()).then(created, used);
    const after = stateAfter(merchantDecider, [...BEFORE, begun('s1'), agreed('s1'), created, used]);
    expect(after).toMatchObject({
      ...{ wallet_address: 'W1', passkey_setup: { used_at: AT } },
      passkey_wallet: { session: 's1', roster: { signed: 's1' }, sealed_shares: { laptop: 'sealed' } },
    });
    expect(after).not.toHaveProperty('wallet_ceremony');
  });

  test('is not there before signer A has signed its roster', () => {
    given(...BEFORE, begun('s1')).when(confirm()).thenRefused('ceremony_unknown');
    expect(stateAfter(merchantDecider, [...BEFORE, begun('s1'), agreed('s1')])).toMatchObject({
      wallet_address: null,
    });
  });

  test('confirmed again stays as it is, though its link was used', () => {
    given(...BEFORE, begun('s1'), agreed('s1'), created, used).when(confirm()).then();
    given(...BEFORE, created, used).when(confirm({ session: 's2' })).thenRefused('setup_used');
    const asked = confirm({ session: 's2', setup_token_hash: null });
    given(...BEFORE, created, used).when(asked).thenRefused('wallet_exists');
  });

  test.each(['phone', 'nobody', 'constructor'])('is not wrapped by %s: no signing passkey', (passkey_id) => {
    const events = [...BEFORE, begun('s1'), agreed('s1')];
    given(...events).when(confirm({ passkey_id })).thenRefused('passkey_unknown');
  });
});

describe('share C', () => {
  const wallet = [...BEFORE, begun('s1'), agreed('s1'), created, used, passkey('tablet', 'signing')];
  const sealed: MerchantEvent = {
    type: 'ShareSealed',
    data: { merchant_id: 'm1', passkey_id: 'tablet', sealed_share_c: 'sealed again', sealed_at: AT },
  };
  const again: MerchantEvent = {
    type: 'PasskeySetupIssued',
    data: {
      ...{ merchant_id: 'm1', token_hash: 'second', asked_by: 'session' },
      expires_at: '2026-05-01T10:30:00.000Z',
    },
  };
  const by_key = { ...again, data: { ...again.data, asked_by: 'key' } } as MerchantEvent;

  test('is kept for one more passkey, which uses up the link', () => {
    given(...wallet).when(seal()).then(sealed);
    const by_link = seal({ setup_token_hash: 'second' });
    const used_again = { ...used, data: { ...used.data, token_hash: 'second' } } as MerchantEvent;
    given(...wallet, again).when(by_link).then(sealed, used_again);
    given(...wallet, again, sealed, used_again).when(by_link).then();
  });

  test('S5: is not kept by the link that an API key has asked for, which could spoil it', () =>
    given(...wallet, by_key).when(seal({ setup_token_hash: 'second' })).thenRefused('setup_by_key'));

  test.each([
    ['of a passkey that has one', 'share_exists', { passkey_id: 'laptop' }],
    ['of a login passkey', 'passkey_unknown', { passkey_id: 'phone' }],
    ['by a link that was used', 'setup_used', { setup_token_hash: TOKEN }],
  ] as const)('%s is refused', (_, refusal, changes) => {
    given(...wallet).when(seal(changes)).thenRefused(refusal);
  });

  test('of a merchant without a passkey wallet is refused', () => {
    given(...BEFORE, passkey('tablet', 'signing')).when(seal()).thenRefused('wallet_not_ready');
  });
});
