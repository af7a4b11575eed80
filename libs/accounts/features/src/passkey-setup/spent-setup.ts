import { setupFault, type RegisteredMerchant, type SetupFault } from '@tender/accounts-domain';
import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { refusalAnswer, type RefusalAnswers } from '@tender/http';
import { isoTime, refuse } from '@tender/kernel';

export const SETUP_REFUSALS: RefusalAnswers<SetupFault> = {
  setup_unknown: [401, 'authentication_failed', 'A newer set-up link has taken the place of this one.'],
  setup_used: [
    410,
    'passkey_setup_used',
    'This set-up link was used. Sign in and ask for a new one to add a passkey.',
  ],
  setup_expired: [
    410,
    'passkey_setup_expired',
    'This set-up link has expired: it works for 30 minutes. Ask for a new one.',
  ],
  setup_by_key: [
    403,
    'passkey_setup_by_key',
    'An API key has asked for this set-up link, which is not enough for this. Sign in, and ask for a link there.',
  ],
};

/** SHA-256 of the set-up token that a request came with; null where it came with a session. */
export const setupHashOf = ({ asker }: Pick<RequestContext, 'asker'>): string | null =>
  asker.kind === 'setup' ? asker.token_hash : null;

/** Throws for a link that does not count now; a session needs none. */
export function refuseSpentSetup(
  known: RegisteredMerchant,
  caller: Pick<RequestContext, 'asker'>,
  clock: Pick<Runtime['clock'], 'now'>,
): void {
  const token_hash = setupHashOf(caller);
  const fault = token_hash && setupFault(known, token_hash, isoTime(clock.now()));
  if (fault) throw refusalAnswer(refuse(fault), SETUP_REFUSALS);
}
