import { readOneOf, type TryLimit } from '@tender/eventing';
import type { ContextSettings } from '@tender/http';
import { CODE_REQUESTS } from './login-by-email/login-codes';

/** Nest injection token. */
export const ACCOUNT_SETTINGS = 'tender:account-settings';

export interface AccountSettings {
  /** Where a merchant registers a passkey; without a slash at the end. */
  readonly dashboard_url: string;
  /** How often a login code may be asked for, of one e-mail; null where no request is refused for rate. */
  readonly code_requests: TryLimit | null;
}

export const accountSettings: ContextSettings<AccountSettings> = {
  token: ACCOUNT_SETTINGS,
  read: (env, place) => ({
    code_requests: readOneOf(env, 'RATE_LIMITS', ['default', 'off']) === 'off' ? null : CODE_REQUESTS,
    get dashboard_url() {
      return `${place.url}/dashboard`;
    },
  }),
};
