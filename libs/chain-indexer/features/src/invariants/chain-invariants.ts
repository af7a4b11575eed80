import type { CreditEvent, WatchEvent } from '@tender/chain-indexer-domain';
import {
  checkedKind,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type InvariantCheck,
} from '@tender/eventing';
import { credit, watch } from '../settle-credits/chain-streams';

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

export const chainInvariants: readonly InvariantCheck[] = [
  allocatedOnce,
  ofOneMode(credits),
  endsOnce,
  ofOneMode(watches),
];
