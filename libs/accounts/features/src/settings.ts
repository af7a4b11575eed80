import type { ContextSettings } from '@tender/http';

/** Nest injection token. */
export const ACCOUNT_SETTINGS = 'tender:account-settings';

export interface AccountSettings {
  /** Where a merchant registers a passkey; without a slash at the end. */
  readonly dashboard_url: string;
}

export const accountSettings: ContextSettings<AccountSettings> = {
  token: ACCOUNT_SETTINGS,
  read: (_, place) => ({
    get dashboard_url() {
      return `${place.url}/dashboard`;
    },
  }),
};
