import type { Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import type { KnownSponsorship } from '@tender/treasury-domain';
import { unbook, type OpenSpending } from '../spending/spending.record';
import { sponsorship } from '../sponsor/sponsorship.aggregate';
import { endSponsored, outcomeOf } from './end-sponsored';

/** Statuses that one request can ask for. */
const STATUSES_MAX = 256;

/** One that may land, with what was recorded of it. */
export interface InFlight {
  readonly open: OpenSpending;
  readonly state: KnownSponsorship;
  readonly transaction_signature: string;
}

/**
 * Looks bookings up on the chain once, and ends those that have ended there; answers what may still land. What is
 * booked and not signed when its blockhash is dead was never sent. Any process may look at any time: an end is recorded
 * once.
 */
export async function endWhatHasEnded(
  runtime: Runtime,
  mode: Mode,
  booked: readonly OpenSpending[],
): Promise<readonly InFlight[]> {
  const opened = booked.slice(0, STATUSES_MAX);
  const chain = runtime.chains[mode];
  const found = await Promise.all(opened.map((open) => inFlight(runtime, mode, open)));
  const flying = found.filter((one) => one !== null);
  const { statuses, finalized_block_height } = await chain.signatureStatuses(
    flying.map(({ transaction_signature }) => transaction_signature),
  );
  const isDead = (open: OpenSpending) => open.last_valid_block_height < finalized_block_height;
  const still: InFlight[] = [];
  for (const [index, one] of flying.entries()) {
    const status = statuses[index] ?? null;
    const outcome = outcomeOf(status, chain.commitment === 'finalized', isDead(one.open));
    if (outcome === null) still.push(one);
    else await endSponsored(runtime, mode, one.open, one.state, outcome);
  }
  // These cannot be signed any more in time: their payments and their accounts are free again.
  const unsigned = opened.filter((open, index) => found[index] === null && isDead(open));
  for (const open of unsigned) await unbook(runtime.readModels, { mode, ...open });
  return still;
}

/** As the log has it; null: it was booked, and is not signed. */
async function inFlight(
  runtime: Pick<Runtime, 'eventStore'>,
  mode: Mode,
  open: OpenSpending,
): Promise<InFlight | null> {
  const state = await sponsorship.load(runtime, mode, open.payment_id);
  const signed = state?.signed ?? null;
  if (state === null || signed?.message_hash !== open.message_hash) return null;
  return { open, state, transaction_signature: signed.transaction_signature };
}
