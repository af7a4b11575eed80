import { intentIds, modeOf } from '@tender/contracts';
import {
  checkedKind,
  eachFault,
  loadHistories,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type CheckedObject,
  type InvariantCheck,
} from '@tender/eventing';
import type { PaymentEvent, PaymentIntentEvent } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';

const intents = checkedKind(paymentIntent);

const ENDS: ReadonlySet<PaymentIntentEvent['type']> = new Set([
  'PaymentIntentSucceeded',
  'PaymentIntentFailed',
  'PaymentIntentExpired',
  'PaymentIntentCanceled',
]);

const onePayment: InvariantCheck = ownInvariant({
  id: 'M25',
  says: 'A payment intent has one payment at most, and ends once.',
  of: intents,
  fault({ history }) {
    const events = ownEvents<PaymentIntentEvent>(history);
    const ends = events.filter(({ type }) => ENDS.has(type)).map(({ type }) => type);
    if (ends.length > 1) return `it has ended ${ends.length} times: ${ends.join(', ')}`;
    const payments = new Set(
      events.flatMap(({ data }) => ('paid_by' in data ? data.paid_by.payment_id : [])),
    );
    return payments.size > 1 ? `it has ${payments.size} payments` : null;
  },
});

/** From the other side: a payment that says of itself that it pays an intent is the one that the intent names. */
const namedByItsIntent: InvariantCheck = {
  id: 'M25',
  says: 'A payment intent has one payment at most, and ends once.',
  of: checkedKind(payment),
  async find({ eventStore }, mode, objects) {
    const streamOf = (id: string) => paymentIntent.stream(mode, id);
    const named = await loadHistories(eventStore, objects.flatMap(intentOf).map(streamOf));
    return eachFault(objects, (object) => {
      const [intent_id] = intentOf(object);
      if (intent_id === undefined) return null;
      const events = ownEvents<PaymentIntentEvent>(named.get(streamOf(intent_id)) ?? []);
      const is_named = events.some(
        (event) =>
          event.type === 'PaymentIntentConfirmed' && event.data.paid_by.payment_id === object.id,
      );
      return is_named ? null : `its intent ${intent_id} names another payment, or none`;
    });
  },
};

const intentOf = ({ history: [created] }: CheckedObject): readonly string[] => {
  const id = created && (created.data as PaymentEvent['data']).terms.payment_intent_id;
  return id === undefined ? [] : [id];
};

export const intentInvariants: readonly InvariantCheck[] = [
  onePayment,
  namedByItsIntent,
  ofOneMode(intents, (id) => modeOf(intentIds, id)),
];
