import type { ReadModels, Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import type { RecentEnds, SponsoredOutcome, Usage } from '@tender/treasury-domain';

/** A transaction that the sponsor pays for, from before it signs. Primary data: never rebuilt. */
export interface Spending {
  readonly mode: Mode;
  readonly payment_id: string;
  /** Of the message that the customer has signed. */
  readonly message_hash: string;
  readonly merchant_id: string;
  readonly customer_wallet: string;
  /** What stands for the customer’s address: the address itself is personal data. */
  readonly address_hash: string;
  readonly source_account: string;
  /** The account that it makes where that is missing; null for none. */
  readonly made_account: string | null;
  /** What it costs at most. */
  readonly lamports: bigint;
  readonly last_valid_block_height: number;
}

/** One that has not ended. */
export interface OpenSpending {
  readonly payment_id: string;
  readonly message_hash: string;
  readonly last_valid_block_height: number;
}

/** What counts for whom, and what does not count: the transaction itself. */
export type Spender = Pick<
  Spending,
  | 'mode'
  | 'message_hash'
  | 'merchant_id'
  | 'customer_wallet'
  | 'address_hash'
  | 'source_account'
  | 'payment_id'
  | 'made_account'
>;

/** What of a spender’s is there already, beside the transaction itself. */
export interface Booked extends Usage {
  /** Lamports of all that have not ended. */
  readonly promised: bigint;
  /** One of this payment, or out of this account, has not ended. */
  readonly under_way: boolean;
  /** The sponsor has made that account before, or is about to: one that its owner closes is not made again. */
  readonly made_before: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The same at a time for all processes: the sums hold until the transaction ends. */
const lock = (tx: Sql, mode: Mode) =>
  tx.query(`select pg_advisory_xact_lock(hashtext('treasury.spending.' || $1))`, [mode]);

/** Reads what is booked, and books one more where `allows` says so, as one step. Answers what `allows` said. */
export async function book<Refusal>(
  readModels: ReadModels,
  spending: Spending,
  now_ms: number,
  allows: (booked: Booked) => Refusal | null,
): Promise<Refusal | null> {
  return readModels.transaction(async (tx) => {
    await lock(tx, spending.mode);
    const refusal = allows(await bookedFor(tx, spending, now_ms));
    if (refusal === null) await keepBooked(tx, spending, now_ms);
    return refusal;
  });
}

/**
 * What is booked for a spender now. The booking of the very transaction that is asked about is left by a process that
 * died before its signature was in the log: the same message is signed alike, and lands once.
 */
export async function bookedFor(sql: Sql, spender: Spender, now_ms: number): Promise<Booked> {
  const { mode, customer_wallet, address_hash, merchant_id } = spender;
  const { payment_id, source_account, message_hash } = spender;
  const [row] = await sql.query<Record<keyof Booked, string>>(
    `with others as not materialized (select * from treasury.spending where mode = $1
       and not (payment_id = $5 and message_hash = $10 and ended_wall_ms is null))
     select
       count(*) filter (where customer_wallet = $2)::text as wallet_day,
       count(*) filter (where address_hash = $3 and reserved_wall_ms > $8)::text as address_hour,
       count(*) filter (where merchant_id = $4)::text as merchant_day,
       coalesce(sum(lamports), 0)::text as lamports_day,
       coalesce(sum(lamports) filter (where made_account is not null), 0)::text
         as accounts_lamports_day,
       count(*) filter (where failed and reserved_wall_ms > $8
         and (customer_wallet = $2 or address_hash = $3))::text as failed_hour,
       coalesce(sum(lamports) filter (where ended_wall_ms is null), 0)::text as promised,
       count(*) filter (where ended_wall_ms is null
         and (payment_id = $5 or source_account = $6))::text as under_way,
       (select count(*) from others where made_account = $9)::text as made_before,
       case when $9::text is null then '0' else (select count(*) from others
         where merchant_id = $4 and made_account is not null)::text
       end as merchant_accounts
     from others where reserved_wall_ms > $7 or ended_wall_ms is null`,
    [
      ...[mode, customer_wallet, address_hash, merchant_id, payment_id, source_account],
      ...[now_ms - DAY_MS, now_ms - HOUR_MS, spender.made_account, message_hash],
    ],
  );
  const found = row as Record<keyof Booked, string>;
  return {
    wallet_day: Number(found.wallet_day),
    address_hour: Number(found.address_hour),
    merchant_day: Number(found.merchant_day),
    lamports_day: BigInt(found.lamports_day),
    accounts_lamports_day: BigInt(found.accounts_lamports_day),
    merchant_accounts: Number(found.merchant_accounts),
    failed_hour: Number(found.failed_hour),
    promised: BigInt(found.promised),
    under_way: Number(found.under_way) > 0,
    made_before: Number(found.made_before) > 0,
  };
}

/** What is booked for all customers together: lamports of a day, and of these those of all that have not ended. */
export async function bookedInAll(
  sql: Sql,
  mode: Mode,
  now_ms: number,
): Promise<Pick<Booked, 'lamports_day' | 'promised'>> {
  const [row] = await sql.query<{ lamports_day: string; promised: string }>(
    `select coalesce(sum(lamports), 0)::text as lamports_day,
       coalesce(sum(lamports) filter (where ended_wall_ms is null), 0)::text as promised
       from treasury.spending where mode = $1 and (reserved_wall_ms > $2 or ended_wall_ms is null)`,
    [mode, now_ms - DAY_MS],
  );
  const { lamports_day, promised } = row as { lamports_day: string; promised: string };
  return { lamports_day: BigInt(lamports_day), promised: BigInt(promised) };
}

/** Books it unless it is booked. Of what conflicts with it nothing is booked. */
export async function keepBooked(tx: Sql, spending: Spending, now_ms: number): Promise<void> {
  const { mode, payment_id, message_hash, merchant_id, customer_wallet } = spending;
  const { address_hash, source_account, made_account, lamports, last_valid_block_height } =
    spending;
  await tx.query(
    `insert into treasury.spending (mode, payment_id, message_hash, merchant_id, customer_wallet,
       address_hash, source_account, made_account, lamports, last_valid_block_height, reserved_wall_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`,
    [
      ...[mode, payment_id, message_hash, merchant_id, customer_wallet, address_hash],
      ...[source_account, made_account, lamports.toString(), last_valid_block_height, now_ms],
    ],
  );
}

type OfSpending = Pick<Spending, 'mode' | 'payment_id' | 'message_hash'>;

/** It was never signed: nothing of it counts. */
export async function unbook(sql: Sql, { mode, payment_id, message_hash }: OfSpending) {
  await sql.query(
    `delete from treasury.spending
      where mode = $1 and payment_id = $2 and message_hash = $3 and ended_wall_ms is null`,
    [mode, payment_id, message_hash],
  );
}

/**
 * It has ended. One that did not land costs nothing, one that failed its fee alone; it has made nothing then.
 * False: it had ended before.
 */
export async function settle(
  sql: Sql,
  { mode, payment_id, message_hash }: OfSpending,
  { outcome, fee, at_ms }: { outcome: SponsoredOutcome; fee: bigint; at_ms: number },
): Promise<boolean> {
  const cost = { landed: null, failed: fee.toString(), dropped: '0' }[outcome];
  const settled = await sql.query(
    `update treasury.spending set ended_wall_ms = $4, failed = $5,
       lamports = coalesce($6::bigint, lamports),
       made_account = case when $6::bigint is null then made_account end
      where mode = $1 and payment_id = $2 and message_hash = $3 and ended_wall_ms is null
      returning payment_id`,
    [mode, payment_id, message_hash, at_ms, outcome === 'failed', cost],
  );
  return settled.length > 0;
}

/** All that have not ended, oldest first; with `beside`, those of its payment and out of its account. */
export async function openSpendings(
  sql: Sql,
  mode: Mode,
  beside: Pick<Spending, 'payment_id' | 'source_account'> | null = null,
): Promise<readonly OpenSpending[]> {
  const rows = await sql.query<Omit<OpenSpending, 'last_valid_block_height'> & { height: string }>(
    `select payment_id, message_hash, last_valid_block_height::text as height
       from treasury.spending where mode = $1 and ended_wall_ms is null
       and ($2::text is null or payment_id = $2 or source_account = $3)
       order by reserved_wall_ms`,
    [mode, beside?.payment_id ?? null, beside?.source_account ?? null],
  );
  return rows.map(({ height, ...row }) => ({ ...row, last_valid_block_height: Number(height) }));
}

/** What has reached the chain since then. */
export async function recentEnds(sql: Sql, mode: Mode, since_ms: number): Promise<RecentEnds> {
  const [row] = await sql.query<Record<keyof RecentEnds, number>>(
    `select count(*)::float8 as ended, count(*) filter (where failed)::float8 as failed,
       count(distinct address_hash) filter (where failed)::float8 as failing_addresses
       from treasury.spending where mode = $1 and ended_wall_ms > $2 and lamports > 0`,
    [mode, since_ms],
  );
  return row as Record<keyof RecentEnds, number>;
}

/** Forgets what counts for no quota any more; accounts that were made are remembered for ever. */
export async function prune(sql: Sql, mode: Mode, now_ms: number): Promise<void> {
  await sql.query(
    `delete from treasury.spending where mode = $1 and made_account is null
       and ended_wall_ms < $2 and reserved_wall_ms < $2`,
    [mode, now_ms - DAY_MS],
  );
}
