import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, notFound, type RefusalAnswers } from '@tender/http';
import { isoTime } from '@tender/kernel';
import {
  checkoutOf,
  isDead,
  type KnownPayment,
  type Seen,
  type Unbuildable,
  type Unsubmittable,
} from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';

/** The payment of a public route, from its stream: what a customer does is decided on what is true now. */
export async function payablePayment(
  runtime: Pick<Runtime, 'eventStore'>,
  { mode }: Pick<RequestContext, 'mode'>,
  id: string,
): Promise<KnownPayment> {
  const known = await payment.load(runtime, mode, id);
  if (known === null) throw notFound();
  return known;
}

/** With where it was seen: what is looked up beside it is asked for at this slot at least. */
export type SeenAtSlot = Seen & { readonly finalized_slot: number };

/** The chain as far as it matters to what was built for this payment; nothing is asked where nothing was. */
export async function seenFor(
  { chains, clock }: Pick<Runtime, 'chains' | 'clock'>,
  known: KnownPayment,
): Promise<SeenAtSlot> {
  const at = isoTime(clock.now());
  const { build, in_flight } = checkoutOf(known);
  if (build === null) return { at, finalized_height: 0, finalized_slot: 0, dropped: null };
  const chain = chains[known.terms.mode];
  const seen =
    in_flight === null
      ? { ...(await chain.finalPart()), statuses: [] }
      : await chain.signatureStatuses([in_flight]);
  const { finalized_block_height: finalized_height, finalized_slot, statuses } = seen;
  const is_dropped = statuses[0] === null && isDead(build, finalized_height);
  return { at, finalized_height, finalized_slot, dropped: is_dropped ? in_flight : null };
}

/** Why a customer can build or submit nothing, and what to do then. */
export const CHECKOUT_REFUSALS: RefusalAnswers<Unsubmittable> = {
  payment_unknown: [404, 'not_found', 'There is no such resource.'],
  payment_expired: [
    410,
    'payment_expired',
    'The payment has expired. Send no money for it; ask the merchant for another payment.',
  ],
  invalid_payment_state: [
    409,
    'invalid_payment_state',
    'The payment has ended; its status says how. There is nothing left to sign.',
  ],
  wallet_mismatch: [
    409,
    'wallet_mismatch',
    'The payment was begun with another wallet. Go on with that one, or wait a minute and build again.',
  ],
  submission_in_flight: [
    409,
    'submission_in_flight',
    'A transaction of this payment is under way. Wait for the payment’s status.',
  ],
};

export const BUILD_REFUSALS: RefusalAnswers<Unbuildable> = {
  ...CHECKOUT_REFUSALS,
  customer_info_required: [
    409,
    'customer_info_required',
    'The shop asks who you are first. Send customer-info, then build again.',
  ],
};

const CHANGED =
  'The transaction is not the one that was built for this payment. Build it again and sign it unchanged.';
const FAILS =
  'The transaction would fail on chain, most likely because the wallet does not hold enough of the token, or of SOL for the fee. Fund it and try again, or wait a minute and build for another wallet.';
const SENTENCES: Readonly<Partial<Record<string, string>>> = {
  would_fail: FAILS,
  simulation_failed: FAILS,
  reference_missing:
    'The transaction does not name this payment. Send the signature of the one that was built for it, or build one.',
};

/** What was handed in pays nothing: `reason` says why, and the sentence what to do. */
export const invalidTransaction = (reason: string, more: object = {}): ApiError =>
  new ApiError(400, 'invalid_transaction', SENTENCES[reason] ?? CHANGED, { reason, ...more });
