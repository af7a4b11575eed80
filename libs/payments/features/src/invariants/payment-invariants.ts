import { modeOf, paymentIds } from '@tender/contracts';
import {
  checkedKind,
  eachFault,
  loadHistories,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type CheckedObject,
  type CheckPorts,
  type Finding,
  type InvariantCheck,
  type StreamMode,
} from '@tender/eventing';
import { priceOf, type PaymentEvent, type PaymentTerms } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { signatureClaim } from '../submit-transaction/signature-claim.aggregate';

const payments = checkedKind(payment);

/** A payment ends by one of these, once. */
const ENDS: ReadonlySet<PaymentEvent['type']> = new Set([
  'PaymentConfirmed',
  'PaymentExpired',
  'PaymentFailed',
]);
/** What happens only to a payment that waits for its money. */
const WHILE_PENDING: ReadonlySet<PaymentEvent['type']> = new Set([
  ...ENDS,
  ...(['TransactionBuilt', 'TransactionSubmitted', 'CustomerInfoCollected'] as const),
]);

const endsOnce: InvariantCheck = ownInvariant({
  id: 'M8',
  says: 'A payment that is confirmed, expired or failed stays what it is.',
  of: payments,
  fault({ history }) {
    const events = ownEvents<PaymentEvent>(history);
    const end = events.findIndex(({ type }) => ENDS.has(type));
    const after = end < 0 ? [] : events.slice(end + 1);
    const later = after.find(({ type }) => WHILE_PENDING.has(type));
    if (later) return `${later.type} after ${events[end]?.type}`;
    const settled = events.filter(({ type }) => type === 'PaymentSettled').length;
    const confirmed = events.filter(({ type }) => type === 'PaymentConfirmed').length;
    return settled > confirmed ? `settled ${settled} times, confirmed ${confirmed} times` : null;
  },
});

const pricedOnce: InvariantCheck = ownInvariant({
  id: 'M9',
  says: 'What a payment is due is its amount by the rates of its creation, rounded up, and never changes.',
  of: payments,
  fault({ history }) {
    const [created, ...later] = ownEvents<PaymentEvent>(history).map(({ data }) => data.terms);
    if (!created) return null;
    const price = priceOf(pricedBy(created));
    const { token_amount, amount_usd_cents } = created;
    if (price?.token_amount.toString() !== token_amount) {
      return `due ${token_amount}, by its rates ${price?.token_amount ?? 'nothing'}`;
    }
    if (price.amount_usd_cents.toString() !== amount_usd_cents) {
      return `worth ${amount_usd_cents} cents, by its rates ${price.amount_usd_cents}`;
    }
    const other = later.find((terms) => terms.token_amount !== token_amount);
    return other ? `due ${token_amount} when it was made, ${other.token_amount} later` : null;
  },
});

function pricedBy({ amount_minor, currency, token, quotes }: PaymentTerms) {
  const rateOf = (symbol: string) => quotes.find((quote) => quote.symbol === symbol)?.rate ?? null;
  return {
    ...{ amount_minor: BigInt(amount_minor), token },
    currency_rate: rateOf(currency),
    token_rate: rateOf(token),
  };
}

const paidInFull: InvariantCheck = ownInvariant({
  id: 'C1',
  says: 'A confirmed payment got at least what was due, in time.',
  of: payments,
  fault({ history }) {
    for (const event of ownEvents<PaymentEvent>(history)) {
      if (event.type !== 'PaymentConfirmed') continue;
      const { terms, confirmation } = event.data;
      const { received, confirmed_at } = confirmation;
      if (BigInt(received) < BigInt(terms.token_amount)) {
        return `confirmed with ${received} of ${terms.token_amount}`;
      }
      if (confirmed_at > terms.expires_at) return `confirmed by money of ${confirmed_at}, too late`;
    }
    return null;
  },
});

/**
 * Money is the same where transaction, wallet and mint are: one transaction may pay two payments in two tokens. Each
 * signature is looked up by the index: all at once the database would rather read the whole table.
 */
const SAME_MONEY = `select found.ids from unnest($1::text[]) as paid (signature)
  cross join lateral (
    select array_agg(id order by id) as ids from payments.payment_details
    where (state->>'transaction_signature') = paid.signature and mode = $2
    group by state->'terms'->>'wallet_address', state->'terms'->>'token_mint'
    having count(*) > 1) as found`;

const moneyPaysOnce: InvariantCheck = {
  id: 'M7',
  says: 'One credit on chain pays at most one payment.',
  of: payments,
  async find({ readModels }, mode, objects) {
    const signatures = objects.flatMap((object) =>
      ownEvents<PaymentEvent>(object.history).flatMap((event) =>
        event.type === 'PaymentConfirmed' ? event.data.confirmation.transaction_signature : [],
      ),
    );
    if (signatures.length === 0) return [];
    const values = [[...new Set(signatures)], mode];
    const shared = await readModels.query<{ ids: readonly string[] }>(SAME_MONEY, values);
    return shared.flatMap(({ ids }) =>
      ids.map((id): Finding => ({
        stream: payment.stream(mode, id),
        says: `paid by the same money as ${ids.filter((other) => other !== id).join(', ')}`,
      })),
    );
  },
};

/** What this service has built proves itself to be of its payment, even where another one has claimed its signature. */
const signatureOfOne: InvariantCheck = {
  id: 'M12',
  says: 'A signature of a transaction that this service did not build is handed in for one payment.',
  of: payments,
  async find(ports, mode, objects) {
    const claims = await claimsOf(ports, mode, objects.flatMap(foreignSignatures));
    return eachFault(objects, (object) => {
      const other = foreignSignatures(object).find((signature) =>
        claims.get(signature)?.some((payment_id) => payment_id !== object.id),
      );
      return other ? `${other} was handed in for another payment` : null;
    });
  },
};

const foreignSignatures = (object: CheckedObject): readonly string[] =>
  ownEvents<PaymentEvent>(object.history).flatMap((event) =>
    event.type === 'TransactionSubmitted' && !event.data.submission.is_ours
      ? event.data.submission.transaction_signature
      : [],
  );

/** The payments that each signature was claimed for. */
async function claimsOf(
  { eventStore }: CheckPorts,
  mode: StreamMode,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const streamOf = (signature: string) => signatureClaim.stream(mode, signature);
  const histories = await loadHistories(eventStore, signatures.map(streamOf));
  return new Map(
    signatures.map((signature) => [
      signature,
      (histories.get(streamOf(signature)) ?? []).map(
        ({ data }) => (data as { readonly payment_id: string }).payment_id,
      ),
    ]),
  );
}

export const paymentInvariants: readonly InvariantCheck[] = [
  moneyPaysOnce,
  endsOnce,
  pricedOnce,
  paidInFull,
  signatureOfOne,
  ofOneMode(payments, (id) => modeOf(paymentIds, id)),
];
