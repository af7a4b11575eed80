/** Nest injection token. */
export const SANDBOX_SETTINGS = 'tender:sandbox-settings';

export interface SandboxSettings {
  readonly checkout_url: string;
  readonly dashboard_url: string;
}

/** `place` is where the program is reached: asked late, because its port may be known only once it listens. */
export const sandboxSettings = (place: { readonly url: string }): SandboxSettings => ({
  get checkout_url() {
    return place.url;
  },
  get dashboard_url() {
    return `${place.url}/dashboard`;
  },
});
