import type { Sql, StreamMode } from '@tender/eventing';
import type { TransferTerms } from '@tender/treasury-domain';

/** What one transaction brought in one asset: it may have brought more than that. */
export type Credited = Pick<TransferTerms, 'credit' | 'asset'>;

/** What one operating wallet has taken of it, for its merchant. */
export interface RefundedAmount extends Credited, Pick<TransferTerms, 'from' | 'merchant_id'> {
  /** Base units; of all transfers that may take something of it or have. */
  readonly refunded: string;
}

const REFUNDED = `select taken.*, found.*
  from unnest($2::text[], $3::text[]) as taken (credit, asset)
  cross join lateral (
    select state->'transfer'->>'from' as "from", state->'transfer'->>'merchant_id' as merchant_id,
      sum((state->'transfer'->>'amount')::numeric)::text as refunded
    from treasury.outgoing_transfers
    where (state->'transfer'->>'credit') = taken.credit and state->'transfer'->>'asset' = taken.asset
      and mode = $1 and status <> 'failed'
    group by 1, 2) as found`;

/** By operating wallet: also of those that no one has asked for. */
export const refundedAmounts = (
  sql: Sql,
  mode: StreamMode,
  credited: readonly Credited[],
): Promise<readonly RefundedAmount[]> =>
  sql.query<RefundedAmount>(REFUNDED, [
    mode,
    credited.map(({ credit }) => credit),
    credited.map(({ asset }) => asset),
  ]);
