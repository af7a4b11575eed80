import type { ReadModels, Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { canPay, dayAllows, type KnownTransfer } from '@tender/treasury-domain';

/** What one transaction of a transfer costs the fee wallet, from before it is signed. Primary data: never rebuilt. */
export interface PayoutFee {
  readonly mode: Mode;
  readonly transfer_id: string;
  /** How many of the transfer were signed before it. */
  readonly attempt: number;
}

/** Of the transaction with that signature, which is one of the transfer’s. */
export const payoutFeeOf = (
  { transfer: { mode, transfer_id }, attempts }: KnownTransfer,
  signature: string | null,
): PayoutFee => {
  const attempt = attempts.findIndex((one) => one.signature === signature);
  return { mode, transfer_id, attempt };
};

/** What the fee wallet has, and may spend in a day. Lamports. */
export interface FeeFunds {
  readonly balance: bigint;
  readonly lamports_day: bigint;
}

export type PayoutFeeFault = 'payout_budget_spent' | 'payout_fee_wallet_low';

const DAY_MS = 86_400_000;

/**
 * Reserves the highest cost of a transaction before it is signed; null: it is reserved. The same one again, left by a
 * process that died, is one reservation.
 */
export async function reserveFee(
  readModels: ReadModels,
  { mode, transfer_id, attempt }: PayoutFee,
  lamports: bigint,
  { balance, lamports_day }: FeeFunds,
  now_ms: number,
): Promise<PayoutFeeFault | null> {
  return readModels.transaction(async (tx) => {
    // The same at a time for all processes: the sums hold until the transaction ends.
    await tx.query(`select pg_advisory_xact_lock(hashtext('treasury.payout_fees.' || $1))`, [mode]);
    const [row] = await tx.query<{ day: string; promised: string }>(
      `select coalesce(sum(lamports), 0)::text as day,
         coalesce(sum(lamports) filter (where ended_wall_ms is null), 0)::text as promised
         from treasury.payout_fees where mode = $1 and not (transfer_id = $2 and attempt = $3)
         and (reserved_wall_ms > $4 or ended_wall_ms is null)`,
      [mode, transfer_id, attempt, now_ms - DAY_MS],
    );
    const { day, promised } = row as { day: string; promised: string };
    const spent = { lamports_day: BigInt(day) };
    if (!dayAllows({ lamports_day }, spent, { lamports })) return 'payout_budget_spent';
    if (!canPay(balance, BigInt(promised), lamports)) return 'payout_fee_wallet_low';
    await tx.query(
      `insert into treasury.payout_fees (mode, transfer_id, attempt, lamports, reserved_wall_ms)
         values ($1, $2, $3, $4, $5)
         on conflict (mode, transfer_id, attempt) do update set lamports = excluded.lamports,
           reserved_wall_ms = excluded.reserved_wall_ms, ended_wall_ms = null`,
      [mode, transfer_id, attempt, lamports.toString(), now_ms],
    );
    return null;
  });
}

/** It has ended and has cost so much; null: all that was reserved. Said twice it is the same. */
export async function settleFee(
  sql: Sql,
  { mode, transfer_id, attempt }: PayoutFee,
  lamports: bigint | null,
  now_ms: number,
): Promise<void> {
  await sql.query(
    `update treasury.payout_fees set ended_wall_ms = $4, lamports = coalesce($5::bigint, lamports)
      where mode = $1 and transfer_id = $2 and attempt = $3 and ended_wall_ms is null`,
    [mode, transfer_id, attempt, now_ms, lamports?.toString() ?? null],
  );
}

/** The rent of its marker is back: so much less was spent. */
export async function giveBack(
  sql: Sql,
  { mode, transfer_id, attempt }: PayoutFee,
  lamports: bigint,
): Promise<void> {
  await sql.query(
    `update treasury.payout_fees set lamports = greatest(lamports - $4::bigint, 0)
      where mode = $1 and transfer_id = $2 and attempt = $3`,
    [mode, transfer_id, attempt, lamports.toString()],
  );
}

/** Forgets what counts for no day any more. */
export async function pruneFees(sql: Sql, mode: Mode, now_ms: number): Promise<void> {
  await sql.query(
    `delete from treasury.payout_fees where mode = $1 and ended_wall_ms < $2 and reserved_wall_ms < $2`,
    [mode, now_ms - DAY_MS],
  );
}
