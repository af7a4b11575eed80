import { rowSource, type Sql } from '@tender/eventing';
import type { FlagAction, Stage } from '@tender/fraud-domain';
import type { Mode } from '@tender/kernel';

/** One screening: primary data. A payment, a stage and a wallet have one row, however often they are asked about. */
export interface ScreeningRow {
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly payment_id: string;
  readonly stage: Stage;
  readonly customer_wallet: string | null;
  readonly ip_hash: string | null;
  readonly email_hash: string | null;
  readonly amount_usd_cents: string;
  /** As shown: a hit on the sanctions list is 100. */
  readonly score: number;
  /** Of the rules alone. */
  readonly fraud_score: number;
  readonly action: 'pass' | FlagAction;
  /** To which list its wallet was held; null where it was held to none. */
  readonly sanctions_list: string | null;
  /** Business time. */
  readonly at_ms: number;
}

const ROWS = rowSource({
  ...{ key: 'text', mode: 'text', merchant_id: 'text', payment_id: 'text', stage: 'text' },
  ...{ customer_wallet: 'text', ip_hash: 'text', email_hash: 'text', amount_usd_cents: 'bigint' },
  ...{ score: 'int', fraud_score: 'int', action: 'text', at_ms: 'bigint', writer: 'text' },
  sanctions_list: 'uuid',
});
const WRITE = `insert into fraud.screenings (${ROWS.columns}) select * from ${ROWS.sql}
  on conflict (key) do update
    set score = excluded.score, fraud_score = excluded.fraud_score, action = excluded.action,
      sanctions_list = excluded.sanctions_list`;

const SUBJECTS = 'customer_wallet is not null or ip_hash is not null or email_hash is not null';
const SUBJECT_COLUMNS =
  'mode, payment_id, customer_wallet, ip_hash, email_hash, at_ms::float8 as at_ms';

/** Whom a screening counts for. */
export type SubjectRow = Pick<
  ScreeningRow,
  'mode' | 'payment_id' | 'customer_wallet' | 'ip_hash' | 'email_hash' | 'at_ms'
>;

export const screeningKey = (payment_id: string, stage: Stage, wallet: string | null): string =>
  `${payment_id}|${stage}|${wallet ?? ''}`;

/** `writer` names this replica, which need not read these rows again. */
export async function writeScreenings(
  sql: Sql,
  writer: string,
  rows: readonly ScreeningRow[],
): Promise<void> {
  const by_key = new Map(
    rows.map((row) => {
      const key = screeningKey(row.payment_id, row.stage, row.customer_wallet);
      return [key, { ...row, key, writer }];
    }),
  );
  await sql.query(WRITE, ROWS.valuesOf([...by_key.values()]));
}

/** What any replica has written since that business time. */
export const subjectsSince = (sql: Sql, since_ms: number): Promise<SubjectRow[]> =>
  sql.query<SubjectRow>(
    `select ${SUBJECT_COLUMNS} from fraud.screenings where at_ms > $1 and (${SUBJECTS})`,
    [since_ms],
  );

/**
 * What other replicas have written in transactions that were not over when `mark` was taken: nothing is missed, though
 * they end in another order than they began. A row may come twice, and counts once.
 */
export async function subjectsOfOthers(
  sql: Sql,
  writer: string,
  mark: string,
): Promise<{ readonly rows: readonly SubjectRow[]; readonly mark: string }> {
  const found = await sql.query<
    SubjectRow & { readonly payment_id: string | null; readonly mark: string }
  >(
    `with taken as (select pg_snapshot_xmin(pg_current_snapshot())::text as mark)
      select taken.mark, others.* from taken left join (
        select ${SUBJECT_COLUMNS} from fraud.screenings
        where written_in >= $1::xid8 and writer <> $2 and (${SUBJECTS})
      ) as others on true`,
    [mark, writer],
  );
  return {
    rows: found.filter(({ payment_id }) => payment_id !== null),
    mark: found[0]?.mark ?? mark,
  };
}

/** The newest amounts that a merchant asked for and that were not blocked, by payment. */
export async function amountsOf(
  sql: Sql,
  { mode, merchant_id }: Pick<ScreeningRow, 'mode' | 'merchant_id'>,
  limit: number,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await sql.query<{ payment_id: string; amount: string }>(
    `select payment_id, amount_usd_cents::text as amount from fraud.screenings
      where merchant_id = $1 and mode = $2 and stage = 'create' and action <> 'block'
      order by at_ms desc limit $3`,
    [merchant_id, mode, limit],
  );
  return new Map(rows.reverse().map(({ payment_id, amount }) => [payment_id, BigInt(amount)]));
}

/** What the rules made of a payment and of this wallet before; 0 when they were not asked. */
export async function storedScore(
  sql: Sql,
  payment_id: string,
  wallet: string | null,
): Promise<number> {
  const keys = [
    screeningKey(payment_id, 'create', null),
    screeningKey(payment_id, 'build', wallet),
  ];
  const [row] = await sql.query<{ score: number | null }>(
    'select max(fraud_score) as score from fraud.screenings where key = any($1)',
    [keys],
  );
  return row?.score ?? 0;
}
