import { Unavailable, type Runtime } from '@tender/eventing';
import type { DescribedMail } from '../described-mail';
import { renderMail } from '../render-mail';
import type { ClaimedMail, Dropped, EndedAttempt } from './queued-mail.record';

/** What a queued mail says, and to whom; or why it is not to be sent. */
export type Describe = (queued: ClaimedMail) => Promise<DescribedMail | Dropped>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Business time after attempt 1, 2, …: more than two days in all, so that a server may be away for one. */
export const RETRY_WAITS_MS: readonly number[] = [
  ...[MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS],
];
/** Upward only, as a share of the wait: what failed together does not come back together. */
const JITTER_MAX = 0.1;

type Needs = Pick<Runtime, 'mail' | 'clock' | 'random' | 'log' | 'telemetry'>;

/** Sends it, and works out what comes next. Never throws: what cannot be described now is tried again, too. */
export async function attemptMail(
  runtime: Needs,
  describe: Describe,
  claimed: ClaimedMail,
): Promise<EndedAttempt> {
  const ended = await attempt(runtime, describe, claimed);
  const outcome = ended.status === 'queued' ? 'failed' : ended.status;
  runtime.telemetry.count('tender_mail_attempts_total', { outcome });
  return ended;
}

async function attempt(
  runtime: Needs,
  describe: Describe,
  claimed: ClaimedMail,
): Promise<EndedAttempt> {
  const { event_id } = claimed;
  const over = (status: EndedAttempt['status'], detail: string | null): EndedAttempt => ({
    ...{ event_id, status, due_at: null, attempted_at: runtime.clock.now(), detail },
  });
  try {
    const described = await describe(claimed);
    if (typeof described === 'string') return over(described, null);
    const outcome = await runtime.mail.send(renderMail(described));
    if (outcome.taken) return over('sent', null);
    const refused = `${outcome.refusal} ${outcome.detail}`.trim();
    // Our own address is not this mail’s fault: the operator mends it.
    if (outcome.refusal === 'sender_refused') return tryAgain(runtime, claimed, refused);
    runtime.log.warn({ mail: event_id, refused }, 'a mail was refused for good');
    return over('refused', refused);
  } catch (error) {
    const is_away = error instanceof Unavailable;
    if (!is_away) runtime.log.error({ err: error, mail: event_id }, 'a mail could not be made');
    return tryAgain(runtime, claimed, is_away ? error.message : 'it could not be made');
  }
}

function tryAgain(
  { clock, random, log }: Needs,
  { event_id, attempts }: ClaimedMail,
  detail: string,
): EndedAttempt {
  const attempted_at = clock.now();
  const wait_ms = RETRY_WAITS_MS[attempts - 1];
  const fields = { mail: event_id, attempt: attempts, detail };
  if (wait_ms === undefined) {
    log.error(fields, 'a mail was given up');
    return { event_id, status: 'given_up', due_at: null, attempted_at, detail };
  }
  log.info(fields, 'a mail was not sent, and will be tried again');
  const due_at = attempted_at + Math.floor(wait_ms * (1 + JITTER_MAX * random.fraction()));
  return { event_id, status: 'queued', due_at, attempted_at, detail };
}
