import { readOneOf, type TryLimit } from '@tender/eventing';
import type { ContextSettings } from '@tender/http';
import { relyingPartyOf, type RelyingParty } from './passkeys/relying-party';
import { CODE_REQUESTS } from './login-by-email/login-codes';

/** Nest injection token. */
export const ACCOUNT_SETTINGS = 'tender:account-settings';

export interface AccountSettings {
  /** Where merchants use passkeys that sign; without a slash at the end. */
  readonly approval_url: string;
  /** For whom those passkeys are made. */
  readonly approval_rp: RelyingParty;
  /** For whom passkeys are made that sign in. */
  readonly login_rp: RelyingParty;
  /** How often one address may ask for codes of one e-mail; null where no request is refused for rate. */
  readonly code_requests: TryLimit | null;
}

export const accountSettings: ContextSettings<AccountSettings> = {
  token: ACCOUNT_SETTINGS,
  read: (env, place) => ({
    code_requests: readOneOf(env, 'RATE_LIMITS', ['default', 'off']) === 'off' ? null : CODE_REQUESTS,
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
