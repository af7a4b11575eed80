import { OneTimeCodes, type Runtime, type TryLimit } from '@tender/eventing';
import type { MailTable } from '@tender/mail';

/** How often one address may ask for codes of one e-mail; `RATE_LIMITS=off` lifts it. */
export const CODE_REQUESTS: TryLimit = { tries_max: 5, span_ms: 60 * 60_000 };

/** Mails of accounts. */
export const MAILS: MailTable = 'accounts.mails';

/** The codes that people sign in with where they have no passkey at hand (S34). */
export const loginCodes = (
  runtime: Pick<Runtime, 'readModels' | 'keyRing' | 'clock' | 'random'>,
  asks: TryLimit | null,
): OneTimeCodes => new OneTimeCodes(runtime, { schema: 'accounts', purpose: 'login-code', asks });
