import type { ChainAccount } from '@tender/eventing';
import { markerOf } from '@tender/transactions';
import type { TransferTerms } from '@tender/treasury-domain';

/** Where the marker of a transfer is, once one of its transactions has landed. */
export const markerAddress = ({
  from,
  transfer_id,
}: Pick<TransferTerms, 'from' | 'transfer_id'>): string => markerOf(from, transfer_id).address;

/** Whether a marker is there: an address that strangers have sent lamports to is none yet. */
export const isMarker = (account: ChainAccount | null | undefined): boolean =>
  (account?.data.length ?? 0) > 0;
