/** Nest injection token. */
export const ACCOUNT_SETTINGS = 'tender:account-settings';

export interface AccountSettings {
  /** Where a merchant registers a passkey; without a slash at the end. */
  readonly dashboard_url: string;
}

/** `place` is where the program is reached: asked late, because its port may be known only once it listens. */
export const accountSettings = (place: { readonly url: string }): AccountSettings => ({
  get dashboard_url() {
    return `${place.url}/dashboard`;
  },
});
