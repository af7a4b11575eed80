import type { ContextSettings } from '@tender/http';

/** Nest injection token. */
export const SANDBOX_SETTINGS = 'tender:sandbox-settings';

export interface SandboxSettings {
  readonly checkout_url: string;
  readonly dashboard_url: string;
}

export const sandboxSettings: ContextSettings<SandboxSettings> = {
  token: SANDBOX_SETTINGS,
  read: (_, place) => ({
    get checkout_url() {
      return place.url;
    },
    get dashboard_url() {
      return `${place.url}/dashboard`;
    },
  }),
};
