import type { Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** How far a network was seen, and which process may move on (L6). */
export interface Cursor {
  readonly genesis_hash: string | null;
  /** Null before the first block was asked for. */
  readonly slot: number | null;
  /** Block time of the newest block seen, ms. */
  readonly watermark_ms: number | null;
  readonly moved_wall_ms: number | null;
  /** Names the holder of the lease; a move under an older epoch fails. */
  readonly epoch: number;
}

/** The cursor of a network of which it is known which block comes next. */
export type PlacedCursor = Cursor & { readonly slot: number };

/** The time a process keeps the lease without renewing it. Graceful ends give it back at once. */
export const LEASE_MS = 4_000;

/** Another process holds the lease, or has taken it over. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The database was set back, or the answer to a commit was lost: only the records know what holds. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}

const lease = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;

/** Takes the lease when it is free. Null: another process works. Times are the database's own. */
export async function takeLease(sql: Sql, mode: Mode, owner: string): Promise<Cursor | null> {
  await sql.query(`insert into chain_indexer.cursors (mode) values ($1) on conflict do nothing`, [mode]);
  const [row] = await sql.query<Record<keyof Cursor, string | null>>(
    `with taken as (
       update chain_indexer.cursors set owner = $2, epoch = epoch + 1, lease_until = ${lease}
        where mode = $1 and (lease_until is null or lease_until < clock_timestamp() or owner = $2)
        returning *)
     select genesis_hash, slot::text, watermark_ms::text, moved_wall_ms::text, epoch::text from taken`,
    [mode, owner],
  );
  if (!row) return null;
  const number = (text: string | null) => (text === null ? null : Number(text));
  return {
    genesis_hash: row.genesis_hash,
    slot: number(row.slot),
    watermark_ms: number(row.watermark_ms),
    moved_wall_ms: number(row.moved_wall_ms),
    epoch: Number(row.epoch),
  };
}

/**
 * Writes the cursor and renews the lease. Throws `LeaseLost` when another process has taken it, and `CursorMoved`
 * when it does not stand at `from`.
 */
export async function moveCursor(tx: Sql, mode: Mode, from: Cursor, to: Cursor): Promise<void> {
  const { epoch, genesis_hash, slot, watermark_ms, moved_wall_ms } = to;
  const rows = await tx.query<{ mode: string }>(
    `with moved as (
       update chain_indexer.cursors
          set genesis_hash = $3, slot = $4, watermark_ms = $5, moved_wall_ms = $6, lease_until = ${lease}
        where mode = $1 and epoch = $2 and slot is not distinct from $7
          and watermark_ms is not distinct from $8 and moved_wall_ms is not distinct from $9
        returning mode)
     select mode from moved`,
    [
      ...[mode, epoch, genesis_hash, slot, watermark_ms, moved_wall_ms],
      ...[from.slot, from.watermark_ms, from.moved_wall_ms],
    ],
  );
  if (rows.length > 0) return;
  const held = await tx.query(
    `select 1 from chain_indexer.cursors where mode = $1 and epoch = $2`,
    [mode, epoch],
  );
  if (held.length > 0) throw new CursorMoved(`the cursor of ${mode} is not where it was left`);
  throw new LeaseLost(`another process follows ${mode}`);
}

/** Block time up to which the network was read whole, by whichever process; null before the first block. */
export async function readWatermark(sql: Sql, mode: Mode): Promise<number | null> {
  const [row] = await sql.query<{ watermark_ms: string | null }>(
    'select watermark_ms::text from chain_indexer.cursors where mode = $1',
    [mode],
  );
  return row?.watermark_ms == null ? null : Number(row.watermark_ms);
}

export async function releaseLease(sql: Sql, mode: Mode, epoch: number): Promise<void> {
  await sql.query(
    `update chain_indexer.cursors set lease_until = clock_timestamp() where mode = $1 and epoch = $2`,
    [mode, epoch],
  );
}
