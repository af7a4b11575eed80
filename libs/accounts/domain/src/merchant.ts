import type { Mode } from '@tender/kernel';
import { evolvePasskeyWallet } from './evolve-passkey-wallet';
import { evolvePasskeys, type MerchantPasskeys, type PasskeyEvent } from './passkey';
import type { PasskeyWalletEvent, PasskeyWalletState } from './passkey-wallet';

export type WalletType = 'mpc_passkey' | 'external';

export interface ApiKey {
  readonly id: string;
  readonly mode: Mode;
  /** For people; null when it was given none. */
  readonly name: string | null;
  /** SHA-256 of the key’s text, hex. The text itself is stored nowhere. */
  readonly hash: string;
  readonly is_active: boolean;
  readonly created_at: string;
}

/** Requests an hour, where they differ from the defaults (specification §1.9). */
export interface RequestLimits {
  readonly creation: number;
  readonly read: number;
  readonly other: number;
}

export interface MerchantRegistered {
  readonly type: 'MerchantRegistered';
  readonly data: {
    readonly merchant_id: string;
    /** Personal data, sealed under the merchant’s own key (E11). */
    readonly name_sealed: string;
    readonly email_sealed: string;
    readonly business_address_sealed: string;
    /** Missing: payers are shown the e-mail. */
    readonly support_email_sealed?: string;
    readonly wallet_type: WalletType;
    /** Null until the wallet exists. */
    readonly wallet_address: string | null;
    readonly webhook_url: string | null;
    /** USD cents. */
    readonly amount_max: number;
    readonly limits: RequestLimits | null;
    readonly created_at: string;
  };
}

export interface ApiKeyCreated {
  readonly type: 'ApiKeyCreated';
  readonly data: {
    readonly merchant_id: string;
    readonly key_id: string;
    readonly mode: Mode;
    readonly name: string | null;
    readonly key_hash: string;
    /** Why an admin made it; null elsewhere. */
    readonly reason: string | null;
    readonly created_at: string;
  };
}

/** One event for both keys, so that no follower ever sees one without the other (E2). */
export interface ApiKeyRotated {
  readonly type: 'ApiKeyRotated';
  readonly data: {
    readonly merchant_id: string;
    readonly old_key_id: string;
    readonly old_key_hash: string;
    readonly key_id: string;
    readonly mode: Mode;
    readonly name: string | null;
    readonly key_hash: string;
    readonly created_at: string;
  };
}

/** What is left out stays as it is. */
export interface MerchantUpdated {
  readonly type: 'MerchantUpdated';
  readonly data: {
    readonly merchant_id: string;
    readonly name_sealed?: string;
    readonly business_address_sealed?: string;
    readonly support_email_sealed?: string;
    readonly updated_at: string;
  };
}

export type MerchantEvent =
  | MerchantRegistered
  | ApiKeyCreated
  | ApiKeyRotated
  | MerchantUpdated
  | PasskeyEvent
  | PasskeyWalletEvent;

export type RegisteredMerchant = MerchantRegistered['data'] &
  MerchantPasskeys &
  PasskeyWalletState & {
    readonly status: 'registered';
    readonly keys: Readonly<Record<string, ApiKey>>;
  };

export type Merchant = { readonly status: 'unknown' } | RegisteredMerchant;

export const UNKNOWN_MERCHANT: Merchant = { status: 'unknown' };

/** The fold. An event of a stream that does not begin with MerchantRegistered changes nothing. */
export function evolveMerchant(state: Merchant, event: MerchantEvent): Merchant {
  if (event.type === 'MerchantRegistered') return { ...event.data, status: 'registered', keys: {} };
  if (state.status === 'unknown') return state;
  switch (event.type) {
    case 'ApiKeyCreated':
      return withKey(state, event.data);
    case 'ApiKeyRotated':
      return rotated(state, event.data);
    case 'MerchantUpdated':
      return updated(state, event.data);
    case 'PasskeyRegistered':
    case 'PasskeyRemoved':
    case 'PasskeySetupIssued':
    case 'PasskeySetupUsed':
      return evolvePasskeys(state, event);
    default:
      return evolvePasskeyWallet(state, event);
  }
}

function rotated(state: RegisteredMerchant, data: ApiKeyRotated['data']): RegisteredMerchant {
  const { old_key_id } = data;
  const old = state.keys[old_key_id];
  const keys = old ? { ...state.keys, [old_key_id]: { ...old, is_active: false } } : state.keys;
  return withKey({ ...state, keys }, data);
}

function updated(state: RegisteredMerchant, data: MerchantUpdated['data']): RegisteredMerchant {
  const { updated_at: _, ...changes } = data;
  return { ...state, ...changes };
}

type NewKey = Omit<ApiKeyCreated['data'], 'merchant_id' | 'reason'>;

function withKey(
  state: RegisteredMerchant,
  { key_id, mode, name, key_hash, created_at }: NewKey,
): RegisteredMerchant {
  const key: ApiKey = { id: key_id, mode, name, hash: key_hash, is_active: true, created_at };
  return { ...state, keys: { ...state.keys, [key_id]: key } };
}
