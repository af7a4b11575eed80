import type { ContextSettings } from '@tender/http';

/** Nest injection token. */
export const FRAUD_SETTINGS = 'tender:fraud-settings';

export interface FraudSettings {
  /** File or URL of a list in the advanced XML form of OFAC’s SDN list; null: the sample that is shipped. */
  readonly sanctions_list: string | null;
}

export const fraudSettings: ContextSettings<FraudSettings> = {
  token: FRAUD_SETTINGS,
  read: (env) => ({ sanctions_list: env['SANCTIONS_LIST'] || null }),
};
