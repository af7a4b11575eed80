import { timeOf } from '@tender/kernel';
import type { RegisteredMerchant } from './merchant';
import type { PasskeyWalletEvent, WalletCeremony } from './passkey-wallet';

/** How far back begins are counted. */
export const CEREMONY_WINDOW_MS = 3_600_000;

/** Of these begins those that count at that time. */
export const countedBegins = (
  ceremony: WalletCeremony | undefined,
  at: string,
): readonly string[] =>
  (ceremony?.begun ?? []).filter((begun) => timeOf(at) - timeOf(begun) < CEREMONY_WINDOW_MS);

function inCeremony(
  state: RegisteredMerchant,
  session: string,
  changes: Partial<WalletCeremony>,
): RegisteredMerchant {
  const { wallet_ceremony } = state;
  if (wallet_ceremony?.session !== session) return state;
  return { ...state, wallet_ceremony: { ...wallet_ceremony, ...changes } };
}

/** The fold of what happens to the passkey wallet of a merchant. */
export function evolvePasskeyWallet(
  state: RegisteredMerchant,
  event: PasskeyWalletEvent,
): RegisteredMerchant {
  switch (event.type) {
    case 'PasskeyWalletBegun': {
      const { session, plan, round1, begun_at } = event.data;
      const begun = [...countedBegins(state.wallet_ceremony, begun_at), begun_at];
      const wallet_ceremony = { session, plan, round1, round3: null, begun, agreed: null };
      return { ...state, wallet_ceremony };
    }
    case 'PasskeyWalletJoined': {
      const { session, round3 } = event.data;
      return inCeremony(state, session, { round3 });
    }
    case 'PasskeyWalletAgreed': {
      const { session, roster, signature } = event.data;
      return inCeremony(state, session, { agreed: { roster, signature } });
    }
    case 'WalletCreated': {
      const { wallet_ceremony: _, ...merchant } = state;
      const { wallet_address, session, roster, passkey_id, sealed_share_c } = event.data;
      const sealed_shares = sealed_share_c === null ? {} : { [passkey_id]: sealed_share_c };
      return { ...merchant, wallet_address, passkey_wallet: { session, roster, sealed_shares } };
    }
    case 'ShareSealed': {
      const { passkey_wallet } = state;
      if (passkey_wallet === undefined) return state;
      const { passkey_id, sealed_share_c } = event.data;
      const sealed_shares = { ...passkey_wallet.sealed_shares, [passkey_id]: sealed_share_c };
      return { ...state, passkey_wallet: { ...passkey_wallet, sealed_shares } };
    }
    default:
      return state;
  }
}
