/** Nest injection token. */
export const SANDBOX_SETTINGS = 'tender:sandbox-settings';

export interface SandboxSettings {
  readonly checkout_url: string;
  readonly dashboard_url: string;
}
