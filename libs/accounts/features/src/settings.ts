/** Nest injection token. */
export const ACCOUNT_SETTINGS = 'tender:account-settings';

export interface AccountSettings {
  /** Where a merchant registers a passkey; without a slash at the end. */
  readonly dashboard_url: string;
}
