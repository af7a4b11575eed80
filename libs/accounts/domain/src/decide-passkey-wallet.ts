import { accept, isoTime, refuse, timeOf, type Decision } from '@tender/kernel';
import { CEREMONY_WINDOW_MS, countedBegins } from './evolve-passkey-wallet';
import type { Merchant, MerchantEvent } from './merchant';

export interface BeginPasskeyWallet {
  readonly type: 'BeginPasskeyWallet';
  readonly session: string;
  readonly plan: object;
  readonly at: string;
}

export interface AgreePasskeyWallet {
  readonly type: 'AgreePasskeyWallet';
  readonly session: string;
  readonly roster: object;
  /** Of signer A over the roster, base64. */
  readonly signature: string;
  readonly at: string;
}

export interface ConfirmPasskeyWallet {
  readonly type: 'ConfirmPasskeyWallet';
  readonly session: string;
  readonly wallet_address: string;
  /** The roster that was agreed, with the signatures of all three, which the caller has verified. */
  readonly roster: object;
  readonly passkey_id: string;
  readonly sealed_share_c: string | null;
  readonly at: string;
}

export interface SealShare {
  readonly type: 'SealShare';
  readonly passkey_id: string;
  readonly sealed_share_c: string;
  readonly at: string;
}

/** Each costs signer A a part of a second of a processor, and a place among its ceremonies for up to a minute. */
const CEREMONIES_PER_HOUR = 10;

type Begun = Decision<
  MerchantEvent,
  'merchant_unknown' | 'wallet_exists' | 'too_many_ceremonies'
>;

/** The newest ceremony is the one that counts. `details.next_at`: when another may begin. */
export function beginPasskeyWallet(command: BeginPasskeyWallet, state: Merchant): Begun {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  if (state.wallet_address !== null) return refuse('wallet_exists');
  const { session, plan, at } = command;
  const counted = countedBegins(state.wallet_ceremony, at);
  const [first] = counted;
  if (first !== undefined && counted.length >= CEREMONIES_PER_HOUR) {
    return refuse('too_many_ceremonies', { next_at: isoTime(timeOf(first) + CEREMONY_WINDOW_MS) });
  }
  const { merchant_id } = state;
  return accept<MerchantEvent>({
    type: 'PasskeyWalletBegun',
    data: { merchant_id, session, plan, begun_at: at },
  });
}

type Stood = Decision<MerchantEvent, 'merchant_unknown' | 'wallet_exists' | 'ceremony_unknown'>;

/** Said again it changes nothing: signer A signs one roster in a ceremony. */
export function agreePasskeyWallet(command: AgreePasskeyWallet, state: Merchant): Stood {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  if (state.wallet_address !== null) return refuse('wallet_exists');
  const { session, roster, signature, at } = command;
  const { merchant_id, wallet_ceremony } = state;
  if (wallet_ceremony?.session !== session) return refuse('ceremony_unknown');
  if (wallet_ceremony.agreed !== null) return accept<MerchantEvent>();
  return accept<MerchantEvent>({
    type: 'PasskeyWalletAgreed',
    data: { merchant_id, session, roster, signature, agreed_at: at },
  });
}

/** The wallet is for ever. Confirmed again it stays the same: the answer may have been lost. */
export function confirmPasskeyWallet(command: ConfirmPasskeyWallet, state: Merchant): Stood {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  const { session, wallet_address, roster, passkey_id, sealed_share_c, at } = command;
  const { merchant_id, wallet_ceremony, passkey_wallet, webhook_url } = state;
  if (passkey_wallet?.session === session) return accept<MerchantEvent>();
  if (state.wallet_address !== null) return refuse('wallet_exists');
  if (wallet_ceremony?.session !== session || wallet_ceremony.agreed === null) {
    return refuse('ceremony_unknown');
  }
  return accept<MerchantEvent>({
    type: 'WalletCreated',
    data: {
      ...{ merchant_id, session, wallet_address, roster, passkey_id, sealed_share_c },
      ...{ webhook_url, created_at: at },
    },
  });
}

/** A passkey’s own share stays as it was sealed first: it opens with that passkey alone. */
export function sealShare(
  { passkey_id, sealed_share_c, at }: SealShare,
  state: Merchant,
): Decision<MerchantEvent, 'merchant_unknown' | 'wallet_not_ready'> {
  if (state.status === 'unknown') return refuse('merchant_unknown');
  const { merchant_id, passkey_wallet } = state;
  if (passkey_wallet === undefined) return refuse('wallet_not_ready');
  return accept<MerchantEvent>({
    type: 'ShareSealed',
    data: { merchant_id, passkey_id, sealed_share_c, sealed_at: at },
  });
}
