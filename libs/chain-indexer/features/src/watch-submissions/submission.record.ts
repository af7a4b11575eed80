import type { Submission } from '@tender/chain-indexer-domain';
import { rowSource, type Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** A transaction that was handed in and of which the chain has shown nothing yet. */
export interface StoredSubmission extends Submission {
  /** To be sent, base64; null where the wallet or the sponsor sends it. */
  readonly signed_transaction: string | null;
  readonly last_valid_block_height: number | null;
  readonly correlation_id: string;
}

type Row = Omit<StoredSubmission, 'last_valid_block_height' | 'expires_at_ms'> & {
  readonly last_valid_block_height: string | null;
  readonly expires_at_ms: string;
};

const SUBMISSIONS = rowSource({
  mode: 'text',
  signature: 'text',
  payment_id: 'text',
  merchant_id: 'text',
  customer_wallet: 'text',
  is_ours: 'boolean',
  signed_transaction: 'text',
  last_valid_block_height: 'bigint',
  expires_at_ms: 'bigint',
  correlation_id: 'text',
});

const REPLACED = [
  ...['payment_id', 'merchant_id', 'customer_wallet', 'is_ours', 'signed_transaction'],
  ...['last_valid_block_height', 'expires_at_ms', 'correlation_id'],
].map((column) => `${column} = excluded.${column}`);

/** What is ours takes the place of what a stranger has handed in for another payment under the same signature. */
export async function insertSubmissions(
  tx: Sql,
  submissions: readonly (StoredSubmission & { readonly mode: Mode })[],
): Promise<void> {
  if (submissions.length === 0) return;
  await tx.query(
    `insert into chain_indexer.submissions (${SUBMISSIONS.columns})
     select distinct on (mode, signature) * from ${SUBMISSIONS.sql}
     order by mode, signature, is_ours desc
     on conflict (mode, signature) do update set ${REPLACED.join(', ')}
       where excluded.is_ours and not submissions.is_ours`,
    SUBMISSIONS.valuesOf(submissions),
  );
}

/** Of payments that have ended: nothing is sent or awaited for them any longer. */
export async function endSubmissionsOf(tx: Sql, payment_ids: readonly string[]): Promise<void> {
  if (payment_ids.length === 0) return;
  await tx.query('delete from chain_indexer.submissions where payment_id = any($1)', [payment_ids]);
}

/** The chain has shown these, or never will. */
export async function endSubmissions(
  tx: Sql,
  mode: Mode,
  signatures: readonly string[],
): Promise<void> {
  if (signatures.length === 0) return;
  await tx.query(
    'delete from chain_indexer.submissions where mode = $1 and signature = any($2)',
    [mode, signatures],
  );
}

export async function openSubmissions(sql: Sql, mode: Mode): Promise<readonly StoredSubmission[]> {
  const rows = await sql.query<Row>(
    `select signature, payment_id, merchant_id, customer_wallet, is_ours, signed_transaction,
       last_valid_block_height::text, expires_at_ms::text, correlation_id
     from chain_indexer.submissions where mode = $1`,
    [mode],
  );
  return rows.map((row) => ({
    ...row,
    last_valid_block_height:
      row.last_valid_block_height === null ? null : Number(row.last_valid_block_height),
    expires_at_ms: Number(row.expires_at_ms),
  }));
}
