import type { Sql, StreamMode } from '@tender/eventing';
import type { TransferTerms } from '@tender/treasury-domain';

/** What one transaction brought to one wallet in one asset: it may have brought more than that. */
export type Credited = Pick<TransferTerms, 'credit' | 'from' | 'asset'>;

export interface RefundedAmount extends Credited {
  /** Base units; of all transfers that may take something of it or have. */
  readonly refunded: string;
}

const REFUNDED = `select taken.*, found.refunded
  from unnest($2::text[], $3::text[], $4::text[]) as taken (credit, "from", asset)
  cross join lateral (
    select coalesce(sum((state->'transfer'->>'amount')::numeric), 0)::text as refunded
    from treasury.outgoing_transfers
    where (state->'transfer'->>'credit') = taken.credit and state->'transfer'->>'from' = taken."from"
      and state->'transfer'->>'asset' = taken.asset and mode = $1 and status <> 'failed') as found`;

export const refundedAmounts = (
  sql: Sql,
  mode: StreamMode,
  credited: readonly Credited[],
): Promise<readonly RefundedAmount[]> =>
  sql.query<RefundedAmount>(REFUNDED, [
    mode,
    credited.map(({ credit }) => credit),
    credited.map(({ from }) => from),
    credited.map(({ asset }) => asset),
  ]);
