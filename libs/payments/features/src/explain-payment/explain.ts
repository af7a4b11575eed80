import { lookedFor, type PaymentExplanation, type RequestContext } from '@tender/contracts';
import { stepOf, type Runtime, type Step } from '@tender/eventing';
import { invariant, isoTime } from '@tender/kernel';
import { lookUpSentence, type PaymentTerms } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { statusOf } from '../payment-status/known-status';
import { receipt } from '../receipts/receipt.aggregate';

/** Anybody may send money that names a payment: the first receipts tell the story, lists have all. */
const RECEIPTS_MAX = 50;

type Asking = Pick<RequestContext, 'mode' | 'correlation_id'>;

/** The story of a payment from the log, its receipts among it; while it is not paid also where money is looked for. */
export async function explain(
  runtime: Runtime,
  { mode, correlation_id }: Asking,
  terms: PaymentTerms,
): Promise<PaymentExplanation> {
  const { payment_id, reference } = terms;
  const [history, receipts] = await Promise.all([
    payment.history(runtime, mode, payment_id),
    receiptSteps(runtime, terms),
  ]);
  const known = statusOf(history);
  invariant(known, 'a payment that was read has a history');
  const { status } = known.answer;
  const steps = merged(payment.story(history), receipts);
  if (status === 'confirmed') return { payment_id, status, steps, looked_for: null };

  const asking = { mode, correlation_id };
  const looked = await runtime.calls.ask(lookedFor, { mode, reference }, asking);
  const now = isoTime(runtime.clock.now());
  const search = receipts.length > 0 ? [] : [stepOf(now, lookUpSentence(terms, looked))];
  const { accounts = [], up_to = null } = looked ?? {};
  return {
    ...{ payment_id, status, steps: [...steps, ...search] },
    looked_for: { reference, accounts: [...accounts], up_to },
  };
}

/** From the receipts' own streams; which there are, a list knows. */
async function receiptSteps(
  runtime: Runtime,
  { payment_id, merchant_id, mode }: PaymentTerms,
): Promise<readonly Step[]> {
  const rows = await runtime.readModels.query<{ id: string }>(
    `select id from ${receipt.view.table} where payment_id = $1 and merchant_id = $2 and mode = $3
      order by created_at, id limit ${RECEIPTS_MAX}`,
    [payment_id, merchant_id, mode],
  );
  const histories = await Promise.all(rows.map(({ id }) => receipt.history(runtime, mode, id)));
  return histories.map((history) => receipt.story(history)).reduce(merged, []);
}

/** Two stories as one, by time; each keeps its own order, whatever the clocks of its processes say. */
export function merged(one: readonly Step[], other: readonly Step[]): Step[] {
  const rest = [...other];
  const steps = one.flatMap((step) => {
    const first_later = rest.findIndex(({ at }) => at >= step.at);
    return [...rest.splice(0, first_later < 0 ? rest.length : first_later), step];
  });
  return [...steps, ...rest];
}
