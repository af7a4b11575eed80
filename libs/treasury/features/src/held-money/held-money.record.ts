import type { ReadModels, Sql } from '@tender/eventing';
import type { Mode, Token } from '@tender/kernel';
import type { TransferTerms } from '@tender/treasury-domain';

/**
 * Money of payments in operating wallets that is neither settled nor refunded, and what else is leaving them. Primary
 * data: never rebuilt.
 */
export interface HeldMoney {
  readonly mode: Mode;
  readonly payment_id: string;
  /** The operating wallet that was paid. */
  readonly wallet: string;
  readonly asset: Token;
  /** Base units. */
  readonly amount: string;
  /** Of the transaction that paid. */
  readonly signature: string;
}

/** Said again it is the same: what was freed stays so. */
export async function keepHeld(sql: Sql, held: HeldMoney): Promise<void> {
  await sql.query(
    `insert into treasury.held_money (mode, payment_id, wallet, asset, amount, signature)
      values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [held.mode, held.payment_id, held.wallet, held.asset, held.amount, held.signature],
  );
}

/** Which transfer takes it to the merchant’s own wallet, at the newest attempt. */
export async function keepSettledBy(
  sql: Sql,
  { mode, payment_id }: Pick<HeldMoney, 'mode' | 'payment_id'>,
  transfer_id: string,
): Promise<void> {
  await sql.query(
    `update treasury.held_money set settled_by = $3 where mode = $1 and payment_id = $2`,
    [mode, payment_id, transfer_id],
  );
}

/** It has left. */
export async function freeHeld(
  sql: Sql,
  { mode, payment_id }: Pick<HeldMoney, 'mode' | 'payment_id'>,
): Promise<void> {
  await sql.query(
    'update treasury.held_money set is_freed = true where mode = $1 and payment_id = $2',
    [mode, payment_id],
  );
}

/** `short`: without what is held for others there is too little. `moving`: that is unsure until others have ended. */
export type HeldFault = 'short' | 'moving';

/** When a balance was read, at the earliest, and what it was. */
export interface SeenBalance {
  readonly balance: bigint;
  readonly read_wall_ms: number;
}

/**
 * Reserves what a refund takes before it is signed; null: it is reserved. What pays itself out of held money takes
 * nothing from others: a settlement, and the refund of a payment that is held.
 */
export async function reserveLeaving(
  readModels: ReadModels,
  transfer: TransferTerms,
  { balance, read_wall_ms }: SeenBalance,
): Promise<HeldFault | null> {
  if (transfer.type === 'settlement') return null;
  const { mode, transfer_id, from, asset, amount, credit } = transfer;
  return readModels.transaction(async (tx) => {
    // The sums hold until the transaction ends.
    await tx.query(`select pg_advisory_xact_lock(hashtext('treasury.held_money.' || $1))`, [from]);
    const [row] = await tx.query<{ held: string; is_own: boolean; is_moving: boolean }>(HELD, [
      ...[mode, from, asset, credit],
    ]);
    type Held = { held: string; is_own: boolean; is_moving: boolean };
    const { held, is_own, is_moving } = row as Held;
    if (is_own) return null;
    const left = balance - BigInt(held) - BigInt(amount);
    if (left < 0n) return is_moving ? 'moving' : 'short';
    const [others] = await tx.query<{ leaving: string }>(
      `select coalesce(sum(amount), 0)::text as leaving from treasury.leaving_money
        where mode = $1 and wallet = $2 and asset = $3 and transfer_id <> $4
        and (ended_wall_ms is null or ended_wall_ms >= $5)`,
      [mode, from, asset, transfer_id, read_wall_ms],
    );
    if (BigInt(held) > 0n && left < BigInt((others as { leaving: string }).leaving)) return 'moving';
    await tx.query(
      `insert into treasury.leaving_money (mode, transfer_id, wallet, asset, amount)
        values ($1, $2, $3, $4, $5) on conflict (mode, transfer_id) do update set ended_wall_ms = null`,
      [mode, transfer_id, from, asset, amount],
    );
    return null;
  });
}

/** Its transfer is under way, or has ended and payments has not said so yet. */
const HELD = `select coalesce(sum(amount) filter (where not has_left), 0)::text as held,
    coalesce(bool_or(signature = $4), false) as is_own, coalesce(bool_or(is_moving), false) as is_moving
  from treasury.held_money
  cross join lateral (
    select coalesce(bool_or(status = 'completed'), false) as has_left, coalesce(bool_or(is_open), false) as is_moving
    from treasury.outgoing_transfers as moved
    where moved.mode = $1 and (moved.id = settled_by or (state->'transfer'->>'credit') = signature)) as moves
  where held_money.mode = $1 and wallet = $2 and asset = $3 and not is_freed`;

/** Nothing of it may land any more, or it has landed. Said twice it is the same. */
export async function endLeaving(
  sql: Sql,
  { mode, transfer_id, credit }: TransferTerms,
  now_ms: number,
  has_left: boolean,
): Promise<void> {
  await sql.query(
    `update treasury.leaving_money set ended_wall_ms = $3
      where mode = $1 and transfer_id = $2 and ended_wall_ms is null`,
    [mode, transfer_id, now_ms],
  );
  if (!has_left || credit === null) return;
  // What was held is refunded whole, or was settled before.
  await sql.query(
    'update treasury.held_money set is_freed = true where mode = $1 and signature = $2',
    [mode, credit],
  );
}

const KEPT_MS = 3_600_000;

/** Forgets what no balance is read without any more. */
export async function pruneLeaving(sql: Sql, mode: Mode, now_ms: number): Promise<void> {
  await sql.query(
    'delete from treasury.leaving_money where mode = $1 and ended_wall_ms < $2',
    [mode, now_ms - KEPT_MS],
  );
}
