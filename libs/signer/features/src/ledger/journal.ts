import type { LedgerState } from '@tender/threshold';
import type { Tx } from './ledger-database';

export interface JournalEntry {
  readonly at_ms: number;
  readonly what: 'opened' | 'frozen' | 'thawed' | 'limited' | 'burned' | LedgerState;
  readonly wallet: string;
  readonly operation_id?: string;
  readonly session?: string;
  readonly intent_digest?: string;
}

/** Writes down what was decided; nothing is ever taken out. */
export async function note(tx: Tx, entry: JournalEntry): Promise<void> {
  const { at_ms, what, wallet, operation_id, session, intent_digest } = entry;
  await tx.query(
    `insert into journal (at_ms, what, wallet, operation_id, session, intent_digest)
     values ($1, $2, $3, $4, $5, $6)`,
    [at_ms, what, wallet, operation_id ?? null, session ?? null, intent_digest ?? null],
  );
}

/** Writes down that a passkey was taken up or away. */
export async function notePasskey(
  tx: Tx,
  entry: {
    readonly at_ms: number;
    readonly what: 'pinned' | 'unpinned';
    readonly merchant_id: string;
    readonly credential_id: string;
  },
): Promise<void> {
  const { at_ms, what, merchant_id, credential_id } = entry;
  await tx.query(
    'insert into journal (at_ms, what, merchant_id, credential_id) values ($1, $2, $3, $4)',
    [at_ms, what, merchant_id, credential_id],
  );
}

/** Finds a row where the nonces of a session were ever used; takes the place of its name, such as `$1`. */
export const burnedIn = (session: string): string =>
  `select from journal where what = 'burned' and session = ${session}`;

/** Whether the nonces of this session were ever used. */
export async function wasBurned(from: Pick<Tx, 'query'>, session: string): Promise<boolean> {
  const { rows } = await from.query(burnedIn('$1'), [session]);
  return rows.length > 0;
}
