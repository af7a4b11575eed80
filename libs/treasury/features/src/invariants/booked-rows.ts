import type { Sql, StreamMode } from '@tender/eventing';

/** What is booked for a message that was signed. */
export interface BookedRow {
  readonly payment_id: string;
  readonly message_hash: string;
  readonly lamports: bigint;
  readonly has_ended: boolean;
}

/** Of these payments; what has ended is forgotten after a day. */
export async function bookedFor(
  sql: Sql,
  mode: StreamMode,
  payment_ids: readonly string[],
): Promise<readonly BookedRow[]> {
  const rows = await sql.query<Omit<BookedRow, 'lamports'> & { readonly lamports: string }>(
    `select payment_id, message_hash, lamports::text as lamports,
       ended_wall_ms is not null as has_ended
       from treasury.spending where mode = $1 and payment_id = any($2)`,
    [mode, payment_ids],
  );
  return rows.map((row) => ({ ...row, lamports: BigInt(row.lamports) }));
}
