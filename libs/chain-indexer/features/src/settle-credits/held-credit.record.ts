import type { Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** Money that names no payment, until it is certain that no watch is still to come. */
export interface HeldCredit {
  readonly credit_id: string;
  readonly wallet: string;
  readonly seen_wall_ms: number;
  /** Its transaction names an operating wallet beside the one that it came to, which may have sent it. */
  readonly of_operating_wallet: boolean;
}

export async function holdCredits(tx: Sql, mode: Mode, held: readonly HeldCredit[]): Promise<void> {
  if (held.length === 0) return;
  await tx.query(
    `insert into chain_indexer.held_credits (mode, credit_id, wallet, seen_wall_ms, of_operating_wallet)
     select $1, credit_id, wallet, seen_wall_ms, of_operating_wallet
       from jsonb_to_recordset($2::jsonb)
         as fresh(credit_id text, wallet text, seen_wall_ms bigint, of_operating_wallet boolean)
     on conflict do nothing`,
    [mode, JSON.stringify(held)],
  );
}

export async function releaseCredits(tx: Sql, mode: Mode, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(`delete from chain_indexer.held_credits where mode = $1 and credit_id = any($2)`, [
    mode,
    ids,
  ]);
}

export async function heldCredits(sql: Sql, mode: Mode): Promise<readonly HeldCredit[]> {
  const rows = await sql.query<HeldCredit & { readonly seen_wall_ms: string | number }>(
    `select credit_id, wallet, seen_wall_ms::text, of_operating_wallet
       from chain_indexer.held_credits where mode = $1`,
    [mode],
  );
  return rows.map((row) => ({ ...row, seen_wall_ms: Number(row.seen_wall_ms) }));
}
