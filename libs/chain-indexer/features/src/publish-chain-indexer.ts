import type { Publication, StoredEvent } from '@tender/eventing';
import { categoryOf } from '@tender/eventing';

/**
 * A watch tells of its payment's money and of its end; a credit only of money without a payment. An
 * allocation speaks once, on the watch, so that payments hears it in order with the close (settled 2).
 */
export function publishChainIndexer(event: StoredEvent): Publication | null {
  const { merchant_id } = event.data as { readonly merchant_id: string | null };
  const publication = (type: string): Publication => ({ type, data: event.data, merchant_id });
  if (event.type === 'MoneyReceived') return publication('chain-indexer.money-received.v1');
  if (!categoryOf(event.stream).startsWith('watch.')) return null;
  if (event.type === 'CreditAllocated') return publication('chain-indexer.credit-allocated.v1');
  if (event.type === 'WatchClosed') return publication('chain-indexer.watch-closed.v1');
  return null;
}
