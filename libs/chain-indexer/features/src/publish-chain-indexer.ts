import type { CreditEvent, WatchEvent } from '@tender/chain-indexer-domain';
import { creditAllocated, moneyReceived, submissionFailed, watchClosed } from '@tender/contracts';
import {
  categoryOf,
  publications,
  tells,
  type Publication,
  type StoredEvent,
} from '@tender/eventing';

const merchantOf = ({ data }: CreditEvent | WatchEvent): string | null => data.merchant_id;

const ofWatch = publications<WatchEvent>(
  {
    CreditAllocated: tells(creditAllocated, ({ data }) => data),
    MoneyReceived: tells(moneyReceived, ({ data }) => data),
    SubmissionFailed: tells(submissionFailed, ({ data }) => data),
    WatchClosed: tells(watchClosed, ({ data }) => data),
  },
  merchantOf,
);

const ofCredit = publications<CreditEvent>(
  {
    CreditAllocated: 'private',
    CreditUnmatched: 'private',
    MoneyReceived: tells(moneyReceived, ({ data }) => data),
  },
  merchantOf,
);

/**
 * A watch publishes its payment's money and its end; a credit only money without a payment. An allocation is
 * published once, by the watch, so that payments hears it in order with the close.
 */
export const publishChainIndexer = (event: StoredEvent): Publication | null =>
  categoryOf(event.stream).startsWith('watch.') ? ofWatch(event) : ofCredit(event);
