import type { Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** A merchant's operating wallet in a mode, and its token accounts there. */
export interface OperatingWallet {
  readonly mode: Mode;
  readonly wallet: string;
  readonly merchant_id: string;
  readonly accounts: readonly string[];
}

export async function saveOperatingWallets(
  tx: Sql,
  wallets: readonly OperatingWallet[],
): Promise<void> {
  if (wallets.length === 0) return;
  await tx.query(
    `insert into chain_indexer.operating_wallets (mode, wallet, merchant_id, accounts)
     select mode, wallet, merchant_id, accounts from jsonb_to_recordset($1::jsonb)
       as fresh(mode text, wallet text, merchant_id text, accounts jsonb)
     on conflict do nothing`,
    [JSON.stringify(wallets)],
  );
}

export async function operatingWallets(sql: Sql, mode: Mode): Promise<readonly OperatingWallet[]> {
  return sql.query<OperatingWallet>(
    `select mode, wallet, merchant_id, accounts from chain_indexer.operating_wallets where mode = $1`,
    [mode],
  );
}
