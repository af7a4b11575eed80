import type { Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** A transaction that treasury has signed for an operating wallet: it may land. */
export interface OutgoingTransfer {
  readonly mode: Mode;
  readonly signature: string;
  /** Whose operating wallet it leaves. */
  readonly merchant_id: string;
}

/** Kept for good, as watches are: blocks may be read again at any time. */
export async function saveOutgoingTransfers(
  tx: Sql,
  transfers: readonly OutgoingTransfer[],
): Promise<void> {
  if (transfers.length === 0) return;
  await tx.query(
    `insert into chain_indexer.outgoing_transfers (mode, signature, merchant_id)
     select mode, signature, merchant_id from jsonb_to_recordset($1::jsonb)
       as fresh(mode text, signature text, merchant_id text)
     on conflict do nothing`,
    [JSON.stringify(transfers)],
  );
}

/** By signature, the merchant whose operating wallet has sent it; none for transactions of others. */
export async function sendersOf(
  sql: Sql,
  mode: string,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (signatures.length === 0) return new Map();
  const rows = await sql.query<Omit<OutgoingTransfer, 'mode'>>(
    `select signature, merchant_id from chain_indexer.outgoing_transfers
      where mode = $1 and signature = any($2)`,
    [mode, signatures],
  );
  return new Map(rows.map(({ signature, merchant_id }) => [signature, merchant_id]));
}
