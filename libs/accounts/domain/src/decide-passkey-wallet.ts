import { accept, isoTime, refuse, timeOf, type Decision } from '@tender/kernel';
import { setupFault, setupUsed, type SetupFault } from './decide-passkeys';
import { CEREMONY_WINDOW_MS, countedBegins } from './evolve-passkey-wallet';
import type { Merchant, MerchantEvent, RegisteredMerchant } from './merchant';
import { passkeyOf } from './passkey';
import { sealedShareOf } from './passkey-wallet';

interface OfSetup {
  /** Of the set-up token that allows it; null where a session does. */
  readonly setup_token_hash: string | null;
  readonly at: string;
}

export interface BeginPasskeyWallet extends OfSetup {
  readonly type: 'BeginPasskeyWallet';
  readonly session: string;
  readonly plan: object;
  /** What signer A has said in round 1, signed. */
  readonly round1: object;
}

export interface JoinPasskeyWallet extends OfSetup {
  readonly type: 'JoinPasskeyWallet';
  readonly session: string;
  /** What signer A has said in round 3, signed. */
  readonly round3: object;
}

export interface AgreePasskeyWallet extends OfSetup {
  readonly type: 'AgreePasskeyWallet';
  readonly session: string;
  readonly roster: object;
  /** Of signer A over the roster, base64. */
  readonly signature: string;
}

export interface ConfirmPasskeyWallet extends OfSetup {
  readonly type: 'ConfirmPasskeyWallet';
  readonly session: string;
  readonly wallet_address: string;
  /** The roster that was agreed, with the signatures of all three, which the caller has verified. */
  readonly roster: object;
  readonly passkey_id: string;
  readonly sealed_share_c: string | null;
}

export interface SealShare extends OfSetup {
  readonly type: 'SealShare';
  readonly passkey_id: string;
  readonly sealed_share_c: string;
}

/** Each costs signer A a part of a second of a processor, and a place among its ceremonies for up to a minute. */
const CEREMONIES_PER_HOUR = 10;

type Refused = 'merchant_unknown' | SetupFault;

/** Null: the set-up token counts now, or none is needed. */
const faultOf = (state: RegisteredMerchant, { setup_token_hash, at }: OfSetup): SetupFault | null =>
  setup_token_hash === null ? null : setupFault(state, setup_token_hash, at);

/** The newest ceremony is the one that counts. `details.next_at`: when another may begin. */
export function beginPasskeyWallet(
  command: BeginPasskeyWallet,
  state: Merchant,
): Decision<MerchantEvent, Refused | 'wallet_exists' | 'too_many_ceremonies'> {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  const fault = faultOf(state, command);
  if (fault !== null) return refuse(fault);
  if (state.wallet_address !== null) return refuse('wallet_exists');
  const { session, plan, round1, at } = command;
  const counted = countedBegins(state.wallet_ceremony, at);
  const [first] = counted;
  if (first !== undefined && counted.length >= CEREMONIES_PER_HOUR) {
    return refuse('too_many_ceremonies', { next_at: isoTime(timeOf(first) + CEREMONY_WINDOW_MS) });
  }
  const { merchant_id } = state;
  return accept<MerchantEvent>({
    type: 'PasskeyWalletBegun',
    data: { merchant_id, session, plan, round1, begun_at: at },
  });
}

type Unstanding = Refused | 'wallet_exists' | 'ceremony_unknown';

/** Why a step of that ceremony is not taken now; null where it is the newest, of a merchant without a wallet. */
export function ceremonyFault(
  state: Merchant,
  command: OfSetup & { readonly session: string },
): Unstanding | null {
  if (state.status === 'unknown') return 'merchant_unknown';
  const fault = faultOf(state, command);
  if (fault !== null) return fault;
  if (state.wallet_address !== null) return 'wallet_exists';
  return state.wallet_ceremony?.session === command.session ? null : 'ceremony_unknown';
}

export function joinPasskeyWallet(
  command: JoinPasskeyWallet,
  state: Merchant,
): Decision<MerchantEvent, Unstanding> {
  const fault = ceremonyFault(state, command);
  if (fault !== null || state.status === 'unknown') return refuse(fault ?? 'merchant_unknown');
  const { session, round3, at } = command;
  const { merchant_id } = state;
  return accept<MerchantEvent>({
    type: 'PasskeyWalletJoined',
    data: { merchant_id, session, round3, joined_at: at },
  });
}

export function agreePasskeyWallet(
  command: AgreePasskeyWallet,
  state: Merchant,
): Decision<MerchantEvent, Unstanding> {
  const fault = ceremonyFault(state, command);
  if (fault !== null || state.status === 'unknown') return refuse(fault ?? 'merchant_unknown');
  const { session, roster, signature, at } = command;
  const { merchant_id, wallet_ceremony } = state;
  // Signer A signs one roster in a ceremony.
  if (wallet_ceremony?.agreed) return accept<MerchantEvent>();
  return accept<MerchantEvent>({
    type: 'PasskeyWalletAgreed',
    data: { merchant_id, session, roster, signature, agreed_at: at },
  });
}

/** The wallet is for ever. Confirmed again it stays as it is, though its link was used: an answer may be lost. */
export function confirmPasskeyWallet(
  command: ConfirmPasskeyWallet,
  state: Merchant,
): Decision<MerchantEvent, Unstanding | 'passkey_unknown'> {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  const { session, wallet_address, roster, passkey_id, sealed_share_c, at } = command;
  if (state.passkey_wallet?.session === session) return accept<MerchantEvent>();
  const fault = ceremonyFault(state, command);
  if (fault !== null) return refuse(fault);
  const { merchant_id, wallet_ceremony, webhook_url } = state;
  if (!wallet_ceremony?.agreed) return refuse('ceremony_unknown');
  if (passkeyOf(state, passkey_id)?.kind !== 'signing') return refuse('passkey_unknown');
  return accept<MerchantEvent>(
    {
      type: 'WalletCreated',
      data: {
        ...{ merchant_id, session, wallet_address, roster, passkey_id, sealed_share_c },
        ...{ webhook_url, created_at: at },
      },
    },
    ...setupUsed(merchant_id, command.setup_token_hash, at),
  );
}

/**
 * Share C for one more passkey of the merchant. What a passkey has is never replaced: a session that was stolen must
 * not take a share from the merchant.
 */
export function sealShare(
  command: SealShare,
  state: Merchant,
): Decision<
  MerchantEvent,
  Refused | 'wallet_not_ready' | 'passkey_unknown' | 'share_exists'
> {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  const { passkey_id, sealed_share_c, setup_token_hash, at } = command;
  const { merchant_id, passkey_wallet } = state;
  const sealed = passkey_wallet && sealedShareOf(passkey_wallet, passkey_id);
  if (sealed === sealed_share_c) return accept<MerchantEvent>();
  const fault = faultOf(state, command);
  if (fault !== null) return refuse(fault);
  if (passkey_wallet === undefined) return refuse('wallet_not_ready');
  if (passkeyOf(state, passkey_id)?.kind !== 'signing') return refuse('passkey_unknown');
  if (sealed !== null) return refuse('share_exists');
  return accept<MerchantEvent>(
    { type: 'ShareSealed', data: { merchant_id, passkey_id, sealed_share_c, sealed_at: at } },
    ...setupUsed(merchant_id, setup_token_hash, at),
  );
}
