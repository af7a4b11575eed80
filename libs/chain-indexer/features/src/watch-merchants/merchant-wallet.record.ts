import type { Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** A merchant's addresses: the wallet in both modes, its token accounts by mode. */
export interface MerchantWallet {
  readonly merchant_id: string;
  readonly wallet: string;
  readonly accounts: Readonly<Record<Mode, readonly string[]>>;
}

export async function saveMerchantWallets(
  tx: Sql,
  wallets: readonly MerchantWallet[],
): Promise<void> {
  if (wallets.length === 0) return;
  await tx.query(
    `insert into chain_indexer.merchant_wallets (merchant_id, wallet, accounts)
     select distinct on (merchant_id) merchant_id, wallet, accounts
       from jsonb_to_recordset($1::jsonb) as fresh(merchant_id text, wallet text, accounts jsonb)
     on conflict (merchant_id) do update set wallet = excluded.wallet, accounts = excluded.accounts`,
    [JSON.stringify(wallets)],
  );
}

export async function allMerchantWallets(sql: Sql): Promise<readonly MerchantWallet[]> {
  return sql.query<MerchantWallet>(
    `select merchant_id, wallet, accounts from chain_indexer.merchant_wallets`,
  );
}
