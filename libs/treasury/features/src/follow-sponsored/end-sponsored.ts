import type { Runtime, SignatureStatus } from '@tender/eventing';
import { isoTime, timeOf, type Mode } from '@tender/kernel';
import { readMessage, transactionFee } from '@tender/transactions';
import {
  failsTooOften,
  type KnownSponsorship,
  type SponsoredOutcome,
} from '@tender/treasury-domain';
import { recentEnds, settle, type OpenSpending } from '../spending/spending.record';
import { SPONSOR_ID, sponsor, sponsorNow } from '../sponsor/sponsor.aggregate';
import { sponsorship } from '../sponsor/sponsorship.aggregate';
import { systemOrigin } from '../system-origin';

const HOUR_MS = 3_600_000;

/** What became of it; null: it may still land, or vanish again. */
export function outcomeOf(
  status: SignatureStatus | null,
  finalized: boolean,
  is_dead: boolean,
): SponsoredOutcome | null {
  if (status === null) return is_dead ? 'dropped' : null;
  const { commitment, error } = status;
  const holds = commitment === 'finalized' || (commitment === 'confirmed' && !finalized);
  if (!holds) return null;
  return error === null ? 'landed' : 'failed';
}

type Needs = Pick<Runtime, 'eventStore' | 'readModels' | 'clock' | 'random' | 'log' | 'telemetry'>;

/** Records the end in the log first: a process that dies in between finds it there and settles the booking. */
export async function endSponsored(
  runtime: Needs,
  mode: Mode,
  open: OpenSpending,
  { signed, offer }: KnownSponsorship,
  outcome: SponsoredOutcome,
): Promise<void> {
  if (signed === null) return;
  const { payment_id } = open;
  const { transaction_signature } = signed;
  await sponsorship.handle(
    runtime,
    mode,
    payment_id,
    { type: 'EndSponsored', payment_id, transaction_signature, outcome },
    systemOrigin(runtime, `end:${transaction_signature}`, offer.merchant_id),
  );
  const fee = transactionFee(readMessage(Buffer.from(signed.message, 'base64')));
  const at_ms = runtime.clock.wall();
  const end = { outcome, fee, at_ms };
  // Another process may have seen the end, too: it is counted once.
  if (!(await settle(runtime.readModels, { mode, ...open }, end))) return;
  runtime.telemetry.count('tender_sponsored_transactions_total', { mode, outcome });
  if (outcome === 'failed') await pauseWhereTooManyFail(runtime, mode);
}

/** A sponsor whose transactions fail pays for nothing: an admin looks before it goes on. */
async function pauseWhereTooManyFail(runtime: Needs, mode: Mode): Promise<void> {
  const { paused, resumed_at } = await sponsorNow(runtime, mode);
  if (paused !== null) return;
  const now_ms = runtime.clock.wall();
  const since_ms = Math.max(now_ms - HOUR_MS, resumed_at === null ? 0 : timeOf(resumed_at));
  const ends = await recentEnds(runtime.readModels, mode, since_ms);
  if (!failsTooOften(ends)) return;
  const reason = `${ends.failed} of ${ends.ended} transactions failed`;
  runtime.log.error({ mode, ...ends }, 'the sponsor is paused: too many of its transactions fail');
  await sponsor.handle(
    runtime,
    mode,
    SPONSOR_ID,
    { type: 'PauseAfterFailures', reason, at: isoTime(now_ms) },
    systemOrigin(runtime, `pause:${runtime.random.uuid()}`, null),
  );
}
