import type { CreditEvent, WatchEvent } from '@tender/chain-indexer-domain';
import {
  checkedKind,
  eachFault,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type CheckedObject,
  type InvariantCheck,
} from '@tender/eventing';
import { credit, watch } from '../settle-credits/chain-streams';
import { sendersOf } from '../watch-operating-wallets/outgoing-transfer.record';

const credits = checkedKind(credit);
/** By the table of watches, where a watch stands under its reference. */
const watches = checkedKind(watch, {
  ...{ table: 'chain_indexer.watches', key: 'reference', id: 'payment_id' },
});

const allocatedOnce: InvariantCheck = ownInvariant({
  id: 'M7',
  says: 'One credit on chain pays at most one payment.',
  of: credits,
  fault({ history }) {
    const paid = ownEvents<CreditEvent>(history).flatMap((event) =>
      event.type === 'CreditAllocated' ? event.data.payment_id : [],
    );
    return paid.length > 1 ? `it was allocated to ${paid.join(', ')}` : null;
  },
});

const ENDS: ReadonlySet<WatchEvent['type']> = new Set([
  'CreditAllocated',
  'WatchClosed',
  'SubmissionFailed',
]);

const endsOnce: InvariantCheck = ownInvariant({
  id: 'C10',
  says: 'A payment gets its credit, or fails, or its watch closes: one of them, once.',
  of: watches,
  fault({ history }) {
    const ends = ownEvents<WatchEvent>(history)
      .map(({ type }) => type)
      .filter((type) => ENDS.has(type));
    return ends.length > 1 ? `it has ended ${ends.length} times: ${ends.join(', ')}` : null;
  },
});

/** Money without a payment reported to merchants. Receipts from before settlements were known name no wallet. */
const toldIn = ({ history }: CheckedObject) =>
  ownEvents<CreditEvent>(history).flatMap(({ type, data }) =>
    type === 'MoneyReceived' && data.reason === 'no_reference' && data.wallet !== undefined ? data : [],
  );

const settlementsAreKnown: InvariantCheck = {
  id: 'C11',
  says: 'What a merchant’s own operating wallet has sent to it is no money without a payment.',
  of: credits,
  async find({ readModels }, mode, objects) {
    const signatures = objects.flatMap(toldIn).map((money) => money.transaction_signature);
    const senders = await sendersOf(readModels, mode, signatures);
    return eachFault(objects, (object) => {
      const own = toldIn(object).find(
        ({ transaction_signature: signature, merchant_id }) =>
          senders.get(signature) === merchant_id,
      );
      if (!own) return null;
      return `${own.transaction_signature} left the operating wallet of ${own.merchant_id}`;
    });
  },
};

export const chainInvariants: readonly InvariantCheck[] = [
  allocatedOnce,
  ofOneMode(credits),
  endsOnce,
  settlementsAreKnown,
  ofOneMode(watches),
];
