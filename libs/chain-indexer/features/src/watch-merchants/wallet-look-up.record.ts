import type { Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** An address of a new wallet; blocks that were read before it came may name it. */
export interface WalletLookUp {
  readonly mode: Mode;
  readonly address: string;
}

/** Kept until the process that reads the blocks has looked there, whichever process that will be. */
export async function insertWalletLookUps(
  sql: Sql,
  look_ups: readonly WalletLookUp[],
): Promise<void> {
  if (look_ups.length === 0) return;
  await sql.query(
    `insert into chain_indexer.wallet_look_ups (mode, address)
     select mode, address from jsonb_to_recordset($1::jsonb) as fresh(mode text, address text)
     on conflict do nothing`,
    [JSON.stringify(look_ups)],
  );
}

export async function endWalletLookUps(
  tx: Sql,
  mode: Mode,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  await tx.query(
    'delete from chain_indexer.wallet_look_ups where mode = $1 and address = any($2)',
    [mode, addresses],
  );
}

export async function walletLookUps(sql: Sql, mode: Mode): Promise<readonly string[]> {
  const rows = await sql.query<{ address: string }>(
    'select address from chain_indexer.wallet_look_ups where mode = $1',
    [mode],
  );
  return rows.map(({ address }) => address);
}
