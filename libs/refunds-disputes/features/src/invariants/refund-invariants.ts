import { modeOf, paymentIds } from '@tender/contracts';
import {
  checkedKind,
  eachFaultAsked,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type CheckedObject,
  type CheckPorts,
  type InvariantCheck,
} from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import {
  evolvePaymentCase,
  isOfDispute,
  isOfRefund,
  isUnderWay,
  refundAfter,
  UNKNOWN_PAYMENT_CASE,
  type PaymentCaseEvent,
  type Refund,
  type RefundEvent,
  type RefundTerms,
} from '@tender/refunds-disputes-domain';
import { paymentCase } from '../payment-case/payment-case.aggregate';
import { refunds } from '../refunds/refunds.projection';

const cases = checkedKind(paymentCase, { table: refunds.table, key: 'id', id: 'payment_id' });

const eventsOf = ({ history }: CheckedObject) => ownEvents<PaymentCaseEvent>(history);
const refundEventsOf = (object: CheckedObject): readonly RefundEvent[] =>
  eventsOf(object).filter(isOfRefund);

function refundsOf(object: CheckedObject): readonly Refund[] {
  const state = eventsOf(object).reduce(evolvePaymentCase, UNKNOWN_PAYMENT_CASE);
  return state.status === 'unknown' ? [] : state.refunds;
}

const withinPayment: InvariantCheck = ownInvariant({
  id: 'M1',
  says: 'Refunds of a payment that are pending, processing or completed are never more than the payment.',
  of: cases,
  fault: faultOfSum,
});

/** Looked at after each event, and added up once: a payment may have thousands of refunds. */
function faultOfSum(object: CheckedObject): string | null {
  const counted = new Map<string, RefundTerms>();
  let [cents, units] = [0n, 0n];
  const count = (sign: 1n | -1n, terms: RefundTerms): void => {
    cents += sign * BigInt(terms.amount_usd_cents);
    units += sign * BigInt(terms.token_amount);
  };
  for (const { type, data: { refund } } of refundEventsOf(object)) {
    const before = counted.get(refund.refund_id);
    if (before) count(-1n, before);
    counted.delete(refund.refund_id);
    if (type === 'RefundFailed') continue;
    counted.set(refund.refund_id, refund);
    count(1n, refund);
    if (cents > BigInt(refund.payment_usd_cents)) {
      return `${cents} cents are refunded of ${refund.payment_usd_cents}`;
    }
    if (units > BigInt(refund.payment_token_amount)) {
      return `${units} base units are refunded of ${refund.payment_token_amount}`;
    }
  }
  return null;
}

const oneAtATime: InvariantCheck = ownInvariant({
  id: 'M2',
  says: 'One refund of a payment is under way at a time.',
  of: cases,
  fault(object) {
    const under_way = new Set<string>();
    for (const event of refundEventsOf(object)) {
      const { refund_id } = event.data.refund;
      if (isUnderWay(refundAfter(event))) under_way.add(refund_id);
      else under_way.delete(refund_id);
      if (under_way.size > 1) return `${[...under_way].join(' and ')} are under way at once`;
    }
    return null;
  },
});

/** That the transfer moved the amount of it, and once, is T5. */
const endsOnce: InvariantCheck = {
  id: 'M3',
  says: 'A completed refund has one transaction that is on the chain and is no other refund’s, a failed one has none.',
  of: cases,
  find: ({ chains }, mode, objects) =>
    eachFaultAsked(objects, async (object) =>
      faultOfEnds(object) ?? (await faultOnChain(chains, mode as Mode, object)),
    ),
};

function faultOfEnds(object: CheckedObject): string | null {
  const ended = new Map<string, RefundEvent['type']>();
  const completed_by = new Set<string>();
  for (const { type, data } of refundEventsOf(object)) {
    const { refund_id } = data.refund;
    const end = ended.get(refund_id);
    if (end !== undefined) return `${type} of ${refund_id} after ${end}`;
    if (type === 'RefundCompleted' || type === 'RefundFailed') ended.set(refund_id, type);
    if (type !== 'RefundCompleted') continue;
    const { transaction_signature } = data;
    if (completed_by.has(transaction_signature)) return `${transaction_signature} completes two`;
    completed_by.add(transaction_signature);
  }
  return null;
}

/** What the chain does not show is not judged. */
async function faultOnChain(
  chains: CheckPorts['chains'],
  mode: Mode,
  object: CheckedObject,
): Promise<string | null> {
  if (chains === null) return null;
  for (const { status, transaction_signature, terms } of refundsOf(object)) {
    if (transaction_signature === null) continue;
    if (status !== 'completed' && status !== 'failed') continue;
    const landed = await chains[mode].transaction(transaction_signature);
    if (landed === null || landed.failed === (status === 'failed')) continue;
    return `${terms.refund_id} is ${status}, and its transaction ${landed.failed ? 'has failed' : 'has landed'}`;
  }
  return null;
}

const toWhoPaid: InvariantCheck = ownInvariant({
  id: 'M4',
  says: 'Every refund of a payment goes to the wallet that paid, from its beginning to its end.',
  of: cases,
  fault(object) {
    const wallets = new Set(refundEventsOf(object).map(({ data }) => data.refund.customer_wallet));
    return wallets.size > 1 ? `its refunds go to ${[...wallets].join(' and ')}` : null;
  },
});

const disputesShareIt: InvariantCheck = ownInvariant({
  id: 'M23',
  says: 'A dispute that was resolved with a refund has one of the same payment, and that refund is for it.',
  of: cases,
  fault(object) {
    const of_dispute = new Map(
      refundsOf(object).map(({ terms }) => [terms.refund_id, terms.dispute_id]),
    );
    const resolved_with = new Set<string>();
    for (const event of eventsOf(object)) {
      if (!isOfDispute(event) || event.type !== 'DisputeResolved') continue;
      const { dispute, resolved } = event.data;
      if (resolved.refund_id === null) continue;
      if (of_dispute.get(resolved.refund_id) !== dispute.dispute_id) {
        return `${dispute.dispute_id} is resolved with ${resolved.refund_id}, which is not for it`;
      }
      resolved_with.add(resolved.refund_id);
    }
    const alone = [...of_dispute].find(
      ([id, dispute]) => dispute !== null && !resolved_with.has(id),
    );
    return alone ? `${alone[0]} is for ${alone[1]}, which it has not resolved` : null;
  },
});

export const refundInvariants: readonly InvariantCheck[] = [
  ...[withinPayment, oneAtATime, endsOnce, toWhoPaid, disputesShareIt],
  ofOneMode(cases, (id) => modeOf(paymentIds, id)),
];
