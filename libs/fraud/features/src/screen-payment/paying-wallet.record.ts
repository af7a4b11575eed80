import { rowSource, type Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** The newest payment of a wallet that was confirmed. */
export interface WalletPaid {
  readonly wallet: string;
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly amount_usd_cents: string;
  /** Business time. */
  readonly paid_at_ms: number;
}

const ROWS = rowSource({
  ...{ mode: 'text', wallet: 'text', payment_id: 'text', merchant_id: 'text' },
  ...{ amount_usd_cents: 'bigint', paid_at_ms: 'bigint' },
});
const WRITE = `insert into fraud.paying_wallets as known (${ROWS.columns})
  select distinct on (mode, wallet) * from ${ROWS.sql} order by mode, wallet, paid_at_ms desc
  on conflict (mode, wallet) do update
    set payment_id = excluded.payment_id, merchant_id = excluded.merchant_id,
      amount_usd_cents = excluded.amount_usd_cents, paid_at_ms = excluded.paid_at_ms
    where known.paid_at_ms is null or known.paid_at_ms < excluded.paid_at_ms`;

/** Wallets that have paid: primary data, from confirmed payments. */
export async function rememberPayingWallets(
  sql: Sql,
  mode: Mode,
  paid: readonly WalletPaid[],
): Promise<void> {
  await sql.query(WRITE, ROWS.valuesOf(paid.map((wallet) => ({ ...wallet, mode }))));
}

export async function hasNeverPaid(sql: Sql, mode: Mode, wallet: string): Promise<boolean> {
  const rows = await sql.query(
    'select 1 from fraud.paying_wallets where mode = $1 and wallet = $2',
    [mode, wallet],
  );
  return rows.length === 0;
}
