import type { ContextSettings } from '@tender/http';
import { relyingPartyOf, type RelyingParty } from './passkeys/relying-party';

/** Nest injection token. */
export const ACCOUNT_SETTINGS = 'tender:account-settings';

export interface AccountSettings {
  /** Where merchants use passkeys that sign; without a slash at the end. */
  readonly approval_url: string;
  /** For whom those passkeys are made. */
  readonly approval_rp: RelyingParty;
  /** For whom passkeys are made that sign in. */
  readonly login_rp: RelyingParty;
}

export const accountSettings: ContextSettings<AccountSettings> = {
  token: ACCOUNT_SETTINGS,
  read: (_, place) => ({
    get approval_url() {
      return place.approval_url;
    },
    get approval_rp() {
      return relyingPartyOf(place.approval_url);
    },
    get login_rp() {
      return relyingPartyOf(place.url);
    },
  }),
};
