import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import { setupHashOf } from '../passkey-setup/spent-setup';

/** What allows a request of the set-up page: its link, or null for a session; and when. */
export const setupOf = (caller: RequestContext, { clock }: Pick<Runtime, 'clock'>) => ({
  setup_token_hash: setupHashOf(caller),
  at: isoTime(clock.now()),
});
