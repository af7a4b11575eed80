import type { LedgerView } from '@tender/signer-domain';
import type { LedgerState, Operation } from '@tender/threshold';
import type { SharedMessage } from '../chain/outcome';
import { burnedIn, note } from './journal';
import type { Tx } from './ledger-database';

const DAY_MS = 86_400_000;

/** What is reserved or spent; a share that is out may land. */
const COUNTS = `state in ('reserved', 'share_out', 'settled')`;
/** Of a wallet since a moment. */
const USED_OF_DAY = `select coalesce(sum(usd_cents), 0) as used from operations
     where wallet = $1 and reserved_ms > $2 and ${COUNTS}`;

/** An attempt at an operation, as it is reserved. */
export interface Reservation extends SharedMessage {
  readonly op: Operation;
  readonly op_digest: string;
  /** Of a refund: what its credit came to. */
  readonly credited_wallet: string | null;
  readonly usd_cents: number;
  readonly session: string;
  readonly session_ends_ms: number;
  readonly now_ms: number;
}

export interface KeptOperation extends SharedMessage {
  readonly wallet: string;
  readonly state: LedgerState;
  readonly session: string;
  readonly session_ends_ms: number;
}

/**
 * Gives back what was reserved for sessions that are over: no share was given for them and, as the reservation is gone,
 * none will be. Under the lock of the wallet.
 */
export async function releaseLapsed(tx: Tx, wallet: string, now_ms: number): Promise<void> {
  const { rows } = await tx.query<{ id: string; session: string }>({
    name: 'release_lapsed',
    text: `update operations set state = 'released'
     where wallet = $1 and state = 'reserved' and session_ends_ms < $2 returning id, session`,
    values: [wallet, now_ms],
  });
  for (const { id, session } of rows) {
    await note(tx, { at_ms: now_ms, what: 'released', wallet, operation_id: id, session });
  }
}

/**
 * Takes the lock of a credit until the transaction ends: refunds of it from two wallets are judged one after the other.
 * Gives back what lapsed sessions have reserved of it, as `releaseLapsed` does; what is locked just now is left as it
 * is. Behind the lock of the wallet and in front of any of an operation.
 */
export async function lockCredit(tx: Tx, credit: string, now_ms: number): Promise<void> {
  await tx.query({
    name: 'lock_credit',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 1))',
    values: [credit],
  });
  const { rows } = await tx.query<{ id: string; session: string; wallet: string }>({
    name: 'release_of_credit',
    text: `update operations set state = 'released' where id in (
       select id from operations where credit = $1 and state = 'reserved' and session_ends_ms < $2
       for update skip locked) returning id, session, wallet`,
    values: [credit, now_ms],
  });
  for (const { id, session, wallet } of rows) {
    await note(tx, { at_ms: now_ms, what: 'released', wallet, operation_id: id, session });
  }
}

/**
 * What the ledger says of an operation before it is reserved; its own earlier attempt is not counted. Of a refund under
 * the lock of its credit, by what that came to.
 */
export async function viewOf(
  tx: Tx,
  op: Operation,
  { session, now_ms, credited_wallet }: Pick<Reservation, 'session' | 'now_ms' | 'credited_wallet'>,
): Promise<LedgerView> {
  const { rows } = await tx.query<ViewRow>({
    name: 'view_of',
    text: `select state, op_digest, exists (${burnedIn('$6')}) as session_burned,
       (${USED_OF_DAY} and id <> $3) as day_used_cents,
       (select coalesce(sum(amount), 0) from operations
        where credit = $4 and credited_wallet = $7 and asset = $5 and id <> $3 and ${COUNTS}) as credit_used,
       exists (select from wallets where address = $8 and mode <> 'all') as is_to_operating_wallet
     from (select) as always left join operations on id = $3`,
    values: [
      ...[op.wallet, now_ms - DAY_MS, op.id, op.credit, op.asset, session, credited_wallet, op.to],
    ],
  });
  const { state, op_digest, session_burned, ...used } = rows[0] as ViewRow;
  return {
    session_burned,
    existing: state === null ? null : { state, op_digest },
    day_used_cents: Number(used.day_used_cents),
    credit_used: BigInt(used.credit_used),
    is_to_operating_wallet: used.is_to_operating_wallet,
  };
}

interface ViewRow {
  /** Null: it was never reserved. */
  readonly state: LedgerState | null;
  readonly op_digest: string;
  readonly session_burned: boolean;
  readonly day_used_cents: string;
  readonly credit_used: string;
  readonly is_to_operating_wallet: boolean;
}

/** USD cents that were reserved or spent in the last 24 hours. */
export async function usedOfDay(
  tx: Pick<Tx, 'query'>,
  wallet: string,
  now_ms: number,
): Promise<number> {
  const { rows } = await tx.query<{ used: string }>(USED_OF_DAY, [wallet, now_ms - DAY_MS]);
  return Number((rows[0] as { used: string }).used);
}

/** Each is several questions to a node; the next proposal looks at others. */
const OPEN_BESIDE_MAX = 8;

/** Operations whose share is out and that use what this one needs: its credit or, of its whole wallet, its day. */
export async function openBeside(
  from: Pick<Tx, 'query'>,
  { id, wallet, credit }: Operation,
  of_wallet: boolean,
): Promise<readonly string[]> {
  const { rows } = await from.query<{ id: string }>(
    `select id from operations
     where state = 'share_out' and (credit = $3 or wallet = $1 and (id = $2 or $4))
     order by random() limit $5`,
    [wallet, id, credit, of_wallet, OPEN_BESIDE_MAX],
  );
  return rows.map((row) => row.id);
}

/**
 * Reserves an attempt, in place of an earlier one of the same operation for which no share can land. Under the lock of
 * the wallet. False where the id is another operation’s: one of another wallet is under another lock, and may have
 * come since it was looked for.
 */
export async function reserve(tx: Tx, attempt: Reservation): Promise<boolean> {
  const { op, session, now_ms } = attempt;
  const { rowCount } = await tx.query({
    name: 'reserve',
    text: `with attempt as (
       insert into operations (id, wallet, op_digest, state, asset, amount, credit, usd_cents, reserved_ms,
         session, session_ends_ms, marker, message, dead_after_height, seen_slot, credited_wallet)
       values ($1, $2, $3, 'reserved', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       on conflict (id) do update set state = 'reserved', usd_cents = excluded.usd_cents,
         credited_wallet = excluded.credited_wallet, reserved_ms = excluded.reserved_ms, session = excluded.session,
         session_ends_ms = excluded.session_ends_ms, message = excluded.message,
         dead_after_height = excluded.dead_after_height, seen_slot = excluded.seen_slot
       where operations.op_digest = excluded.op_digest and operations.wallet = excluded.wallet
         and operations.state in ('reserved', 'released')
       returning reserved_ms, wallet, id, session)
     insert into journal (at_ms, what, wallet, operation_id, session)
     select reserved_ms, 'reserved', wallet, id, session from attempt`,
    values: [
      ...[op.id, op.wallet, attempt.op_digest, op.asset, op.amount, op.credit, attempt.usd_cents],
      ...[now_ms, session, attempt.session_ends_ms, attempt.marker, Buffer.from(attempt.message)],
      ...[attempt.dead_after_height, attempt.seen_slot, attempt.credited_wallet],
    ],
  });
  return rowCount === 1;
}

/** Moves a reserved attempt on to `share_out` and burns its session; false where it is no longer reserved. */
export async function burn(
  tx: Tx,
  { operation_id, session, intent_digest }: Burned,
  now_ms: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'burn',
    text: `with given as (
       update operations set state = 'share_out'
       where id = $1 and session = $2 and state = 'reserved' returning wallet, id, session)
     insert into journal (at_ms, what, wallet, operation_id, session, intent_digest)
     select $3::bigint, what, wallet, id, session, of_intent from given,
       (values ('share_out', null), ('burned', $4)) as noted (what, of_intent)`,
    values: [operation_id, session, now_ms, intent_digest],
  });
  return rowCount === 2;
}

interface Burned {
  readonly operation_id: string;
  readonly session: string;
  /** Hex: what the share is for. */
  readonly intent_digest: string;
}

/** With its row’s lock. */
export async function lockOperation(tx: Tx, id: string): Promise<KeptOperation | null> {
  const { rows } = await tx.query<Record<keyof KeptOperation, string> & { message: Buffer }>(
    `select wallet, state, session, session_ends_ms, marker, message, dead_after_height, seen_slot
     from operations where id = $1 for update`,
    [id],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    ...row,
    state: row.state as LedgerState,
    session_ends_ms: Number(row.session_ends_ms),
    dead_after_height: Number(row.dead_after_height),
    seen_slot: Number(row.seen_slot),
  };
}

/** Moves an attempt on; false where it is no longer in the state it is moved from. */
export async function move(
  tx: Tx,
  attempt: { readonly id: string; readonly session: string; readonly wallet: string },
  from: LedgerState,
  to: LedgerState,
  now_ms: number,
): Promise<boolean> {
  const { id, session, wallet } = attempt;
  const { rowCount } = await tx.query(
    'update operations set state = $4 where id = $1 and session = $2 and state = $3',
    [id, session, from, to],
  );
  if (rowCount !== 1) return false;
  await note(tx, { at_ms: now_ms, what: to, wallet, operation_id: id, session });
  return true;
}
