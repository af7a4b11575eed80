import type { Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** Wallets that have paid: primary data, from confirmed payments. */
export async function rememberPayingWallets(
  sql: Sql,
  mode: Mode,
  wallets: readonly string[],
): Promise<void> {
  await sql.query(
    `insert into fraud.paying_wallets (mode, wallet) select $1, unnest($2::text[]) on conflict do nothing`,
    [mode, [...new Set(wallets)]],
  );
}

export async function hasNeverPaid(sql: Sql, mode: Mode, wallet: string): Promise<boolean> {
  const rows = await sql.query(
    'select 1 from fraud.paying_wallets where mode = $1 and wallet = $2',
    [mode, wallet],
  );
  return rows.length === 0;
}
