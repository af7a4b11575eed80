import { accept, refuse, type Decider, type Decision, type Mode } from '@tender/kernel';
import { issuePasskeySetup, registerPasskey, removePasskey } from './decide-passkeys';
import {
  agreePasskeyWallet,
  beginPasskeyWallet,
  confirmPasskeyWallet,
  joinPasskeyWallet,
  sealShare,
} from './decide-passkey-wallet';
import {
  evolveMerchant,
  UNKNOWN_MERCHANT,
  type Merchant,
  type MerchantEvent,
  type MerchantRegistered,
  type MerchantUpdated,
} from './merchant';
import type { PasskeySetupIssued } from './passkey';

export interface RegisterMerchant {
  readonly type: 'RegisterMerchant';
  readonly merchant: MerchantRegistered['data'];
  /** The test key that the answer shows. */
  readonly key_id: string;
  readonly key_hash: string;
  /** Link to set up the wallet that the merchant comes without; null for one of its own. */
  readonly passkey_setup: Omit<PasskeySetupIssued['data'], 'merchant_id' | 'asked_by'> | null;
}

export interface CreateApiKey {
  readonly type: 'CreateApiKey';
  /** Mode of the key that asks; or who else does. */
  readonly asked_by: Mode | 'session' | 'admin';
  readonly key_id: string;
  readonly mode: Mode;
  readonly name: string | null;
  readonly key_hash: string;
  readonly reason: string | null;
  readonly created_at: string;
}

export interface RotateApiKey {
  readonly type: 'RotateApiKey';
  readonly old_key_id: string;
  /** Of the caller, who sees no key of the other mode. */
  readonly mode: Mode;
  readonly key_id: string;
  readonly key_hash: string;
  readonly created_at: string;
}

export interface UpdateMerchant {
  readonly type: 'UpdateMerchant';
  readonly changes: Omit<MerchantUpdated['data'], 'merchant_id'>;
}

export const merchantDecider = {
  initial: UNKNOWN_MERCHANT,
  evolve: evolveMerchant,
  decide: {
    RegisterMerchant: registerMerchant,
    CreateApiKey: createApiKey,
    RotateApiKey: rotateApiKey,
    UpdateMerchant: updateMerchant,
    RegisterPasskey: registerPasskey,
    RemovePasskey: removePasskey,
    IssuePasskeySetup: issuePasskeySetup,
    BeginPasskeyWallet: beginPasskeyWallet,
    JoinPasskeyWallet: joinPasskeyWallet,
    AgreePasskeyWallet: agreePasskeyWallet,
    ConfirmPasskeyWallet: confirmPasskeyWallet,
    SealShare: sealShare,
  },
} satisfies Decider<Merchant, MerchantEvent>;

/** The stream’s name derives from the e-mail, so a stream that exists is a merchant that exists. */
function registerMerchant(
  command: RegisterMerchant,
  state: Merchant,
): Decision<MerchantEvent, 'merchant_exists'> {
  if (state.status !== 'unknown') return refuse('merchant_exists');
  const { merchant, key_id, key_hash, passkey_setup } = command;
  const { merchant_id, created_at } = merchant;
  const asked_by = 'sign_up' as const;
  return accept<MerchantEvent>(
    { type: 'MerchantRegistered', data: merchant },
    {
      type: 'ApiKeyCreated',
      data: { merchant_id, key_id, mode: 'test', name: null, key_hash, reason: null, created_at },
    },
    ...(passkey_setup
      ? [{ type: 'PasskeySetupIssued', data: { merchant_id, ...passkey_setup, asked_by } } as const]
      : []),
  );
}

/** A test key that could mint a live one would open the live mode to anyone who finds it (S5). */
function createApiKey(
  command: CreateApiKey,
  state: Merchant,
): Decision<MerchantEvent, 'merchant_unknown' | 'live_key_from_test_key'> {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  const { asked_by, key_id, mode, name, key_hash, reason, created_at } = command;
  if (asked_by === 'test' && mode === 'live') return refuse('live_key_from_test_key');
  const { merchant_id } = state;
  return accept<MerchantEvent>({
    type: 'ApiKeyCreated',
    data: { merchant_id, key_id, mode, name, key_hash, reason, created_at },
  });
}

function rotateApiKey(
  command: RotateApiKey,
  state: Merchant,
): Decision<MerchantEvent, 'key_unknown' | 'key_already_rotated'> {
  if (state.status === 'unknown') return refuse('key_unknown');
  const { old_key_id, mode, key_id, key_hash, created_at } = command;
  const old = Object.hasOwn(state.keys, old_key_id) ? state.keys[old_key_id] : undefined;
  if (!old || old.mode !== mode) return refuse('key_unknown');
  if (!old.is_active) return refuse('key_already_rotated');
  return accept<MerchantEvent>({
    type: 'ApiKeyRotated',
    data: {
      merchant_id: state.merchant_id,
      old_key_id,
      old_key_hash: old.hash,
      key_id,
      mode,
      name: old.name,
      key_hash,
      created_at,
    },
  });
}

/** A request that changes nothing leaves no trace. */
function updateMerchant(
  { changes }: UpdateMerchant,
  state: Merchant,
): Decision<MerchantEvent, 'merchant_unknown'> {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  const { updated_at: _, ...fields } = changes;
  if (Object.keys(fields).length === 0) return accept<MerchantEvent>();
  const { merchant_id } = state;
  return accept<MerchantEvent>({ type: 'MerchantUpdated', data: { merchant_id, ...changes } });
}
