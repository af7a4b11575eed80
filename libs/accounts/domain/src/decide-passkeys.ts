import { accept, refuse, type Decision } from '@tender/kernel';
import type { CreateApiKey } from './decide-merchant';
import type { Merchant, MerchantEvent, RegisteredMerchant } from './merchant';
import {
  passkeyOf,
  passkeysOf,
  type PasskeyRegistered,
  type PasskeySetupIssued,
  type PasskeySetupUsed,
  type SetupAsker,
} from './passkey';

/** Of both kinds together. Each is kept in the merchant’s state, and offered at every registration. */
export const PASSKEYS_MAX = 20;

export type SetupFault = 'setup_unknown' | 'setup_used' | 'setup_expired' | 'setup_by_key';

export interface RegisterPasskey {
  readonly type: 'RegisterPasskey';
  readonly passkey: Omit<PasskeyRegistered['data'], 'merchant_id' | 'asked_by'>;
  /** Of the set-up token that allowed it; null where a session did. */
  readonly setup_token_hash: string | null;
}

export interface RemovePasskey {
  readonly type: 'RemovePasskey';
  readonly passkey_id: string;
  readonly removed_at: string;
}

export interface IssuePasskeySetup {
  readonly type: 'IssuePasskeySetup';
  readonly asked_by: CreateApiKey['asked_by'];
  readonly setup: Omit<PasskeySetupIssued['data'], 'merchant_id' | 'asked_by'>;
}

/** Why a set-up token does not count at `now`; null where it does. An earlier token than the newest is unknown. */
export function setupFault(
  state: RegisteredMerchant,
  token_hash: string,
  now: string,
): SetupFault | null {
  const { passkey_setup } = state;
  if (passkey_setup?.token_hash !== token_hash) return 'setup_unknown';
  if (passkey_setup.used_at !== null) return 'setup_used';
  if (passkey_setup.expires_at <= now) return 'setup_expired';
  const is_trusted = ['sign_up', 'session'].includes(passkey_setup.asked_by);
  return is_trusted || addsPasskeyAlone(state) ? null : 'setup_by_key';
}

/**
 * What the signers believe of a merchant is its first signing passkey, and a ceremony makes the wallet of a merchant
 * who has none: neither comes of an API key (S5), nor does what a passkey wallet keeps for its merchant. Where there is
 * neither to be had, one more passkey allows nothing at the signers before one that they know has let it in.
 */
const addsPasskeyAlone = (state: RegisteredMerchant): boolean =>
  state.wallet_type === 'external' && passkeysOf(state).some(({ kind }) => kind === 'signing');

/** What uses up the token, beside the event that completes the set-up; nothing where a session asked. */
export function setupUsed(
  merchant_id: string,
  token_hash: string | null,
  used_at: string,
): readonly PasskeySetupUsed[] {
  if (token_hash === null) return [];
  return [{ type: 'PasskeySetupUsed', data: { merchant_id, token_hash, used_at } }];
}

/**
 * A passkey is what completes the set-up of a merchant who is paid into a wallet of its own. Elsewhere the
 * wallet, or the sealed share of one more passkey, completes it, and the token has to last until then.
 */
export function registerPasskey(
  { passkey, setup_token_hash }: RegisterPasskey,
  state: Merchant,
): Decision<
  MerchantEvent,
  'merchant_unknown' | 'passkey_known' | 'too_many_passkeys' | SetupFault
> {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  const { registered_at, passkey_id } = passkey;
  const fault = setup_token_hash && setupFault(state, setup_token_hash, registered_at);
  if (fault) return refuse(fault);
  if (passkeyOf(state, passkey_id)) return refuse('passkey_known');
  if (passkeysOf(state).length >= PASSKEYS_MAX) return refuse('too_many_passkeys');
  const { merchant_id, wallet_type, passkey_setup } = state;
  const asked_by = setup_token_hash && passkey_setup ? passkey_setup.asked_by : 'session';
  const completes = wallet_type === 'external' ? setup_token_hash : null;
  return accept<MerchantEvent>(
    { type: 'PasskeyRegistered', data: { merchant_id, ...passkey, asked_by } },
    ...setupUsed(merchant_id, completes, registered_at),
  );
}

export function removePasskey(
  { passkey_id, removed_at }: RemovePasskey,
  state: Merchant,
): Decision<MerchantEvent, 'passkey_unknown'> {
  if (state.status === 'unknown' || !passkeyOf(state, passkey_id)) return refuse('passkey_unknown');
  const { merchant_id } = state;
  return accept<MerchantEvent>({
    type: 'PasskeyRemoved',
    data: { merchant_id, passkey_id, removed_at },
  });
}

/** A test key, which gets about, makes no link once the merchant has a live key (S5). */
export function issuePasskeySetup(
  { asked_by, setup }: IssuePasskeySetup,
  state: Merchant,
): Decision<MerchantEvent, 'merchant_unknown' | 'live_merchant_from_test_key'> {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  const is_live = Object.values(state.keys).some((key) => key.mode === 'live' && key.is_active);
  if (asked_by === 'test' && is_live) return refuse('live_merchant_from_test_key');
  const { merchant_id } = state;
  const data = { merchant_id, ...setup, asked_by: setupAskerOf(asked_by) };
  return accept<MerchantEvent>({ type: 'PasskeySetupIssued', data });
}

const setupAskerOf = (asked_by: IssuePasskeySetup['asked_by']): SetupAsker =>
  asked_by === 'session' ? 'session' : 'key';
