import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { isoTime } from '@tender/kernel';

/** What allows a request of the set-up page: its link, or null for a session; and when. */
export const setupOf = ({ asker }: RequestContext, { clock }: Pick<Runtime, 'clock'>) => ({
  setup_token_hash: asker.kind === 'setup' ? asker.token_hash : null,
  at: isoTime(clock.now()),
});
