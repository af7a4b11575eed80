import type { Watch } from '@tender/chain-indexer-domain';
import { rowSource, type Sql } from '@tender/eventing';
import type { Mode, Token } from '@tender/kernel';

/** A watch as it is kept, with what only its events need. */
export interface WatchRecord extends Watch {
  readonly mode: Mode;
  /** ISO 8601. */
  readonly created_at: string;
  readonly correlation_id: string;
  /** Its transactions may be in blocks that were read before it came. */
  readonly lookup_due: boolean;
}

interface Row {
  readonly reference: string;
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly wallet: string;
  readonly account: string;
  readonly token: Token;
  readonly mint: string | null;
  readonly due: string;
  readonly expires_at_ms: string;
  readonly correlation_id: string;
  readonly lookup_due: boolean;
  readonly state: Watch['state'];
}
export type StoredWatch = Watch & Pick<Row, 'correlation_id' | 'lookup_due'>;

const COLUMNS = `reference, payment_id, merchant_id, wallet, account, token, mint, due::text,
  expires_at_ms::text, correlation_id, lookup_due, state`;

const watchOf = (row: Row): StoredWatch => ({
  ...row,
  due: BigInt(row.due),
  expires_at_ms: Number(row.expires_at_ms),
});

const WATCHES = rowSource({
  reference: 'text',
  payment_id: 'text',
  mode: 'text',
  merchant_id: 'text',
  wallet: 'text',
  account: 'text',
  token: 'text',
  mint: 'text',
  due: 'numeric',
  created_at: 'timestamptz',
  expires_at_ms: 'bigint',
  correlation_id: 'text',
  lookup_due: 'boolean',
});

/** One statement for a whole batch of created payments; a payment that is known stays as it is. */
export async function insertWatches(tx: Sql, watches: readonly WatchRecord[]): Promise<void> {
  if (watches.length === 0) return;
  await tx.query(
    `insert into chain_indexer.watches (${WATCHES.columns})
     select * from ${WATCHES.sql} on conflict do nothing`,
    WATCHES.valuesOf(watches),
  );
}

export interface EndedWatch {
  readonly reference: string;
  readonly state: 'paid' | 'closed';
}

const ENDED = rowSource({ reference: 'text', state: 'text' });

/**
 * An open watch ends once, with no look-up left to make; `paid` stays `paid`. Answers the
 * references of those that ended now.
 */
export async function endWatches(
  tx: Sql,
  ended: readonly EndedWatch[],
): Promise<readonly string[]> {
  if (ended.length === 0) return [];
  const rows = await tx.query<{ reference: string }>(
    `with ended as (
       update chain_indexer.watches as watch set state = fresh.state, lookup_due = false
         from ${ENDED.sql}
        where watch.reference = fresh.reference and watch.state = 'open'
        returning watch.reference)
     select reference from ended`,
    ENDED.valuesOf(ended),
  );
  return rows.map(({ reference }) => reference);
}

export async function markLookedUp(tx: Sql, references: readonly string[]): Promise<void> {
  if (references.length === 0) return;
  await tx.query(`update chain_indexer.watches set lookup_due = false where reference = any($1)`, [
    references,
  ]);
}

/** Open and ended ones: money may name a payment long after it ended. */
export async function watchesByReference(
  sql: Sql,
  mode: Mode,
  references: readonly string[],
): Promise<readonly StoredWatch[]> {
  if (references.length === 0) return [];
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from chain_indexer.watches where reference = any($1) and mode = $2`,
    [references, mode],
  );
  return rows.map(watchOf);
}

export async function openWatches(sql: Sql, mode: Mode): Promise<readonly StoredWatch[]> {
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from chain_indexer.watches where mode = $1 and state = 'open'`,
    [mode],
  );
  return rows.map(watchOf);
}
