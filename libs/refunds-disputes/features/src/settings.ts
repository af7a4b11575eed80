import { readOneOf, type TryLimit } from '@tender/eventing';
import type { ContextSettings } from '@tender/http';
import { CODE_REQUESTS } from './dispute-codes/dispute-codes';

/** Nest injection token. */
export const REFUNDS_DISPUTES_SETTINGS = 'tender:refunds-disputes-settings';

export interface RefundsDisputesSettings {
  /** How often a code is sent for one payment and e-mail; null where no request is refused for rate. */
  readonly code_requests: TryLimit | null;
}

export const refundsDisputesSettings: ContextSettings<RefundsDisputesSettings> = {
  token: REFUNDS_DISPUTES_SETTINGS,
  read: (env) => ({
    code_requests: readOneOf(env, 'RATE_LIMITS', ['default', 'off']) === 'off' ? null : CODE_REQUESTS,
  }),
};
