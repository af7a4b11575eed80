import { Unavailable, type Sql } from '@tender/eventing';

/** What a gateway holds of a bucket's limit after it asked for more. */
export interface Holding {
  /** Requests that this gateway may have admitted in any hour. */
  readonly units: number;
  /** The same of all other gateways, crashed ones included. */
  readonly others: number;
  /** Unix second at which the first of the others' holdings ends; null when there are none. */
  readonly others_free_at: number | null;
}

export interface BuyBlock {
  readonly bucket: string;
  /** This process; another one after every start. */
  readonly gateway: string;
  /** Requests of the last hour: a holding is never smaller than that. */
  readonly used: number;
  readonly wanted: number;
  readonly limit: number;
  /** How long the holding may be used before it is bought again. */
  readonly lease_ms: number;
}

/** Where holdings are kept: `gateway.limit_blocks`, or memory in a test. */
export interface LimitBlocks {
  buy(request: BuyBlock): Promise<Holding>;
}

/** What was admitted at the end of a lease counts for an hour more; five minutes are for clocks that step. */
const COUNTS_AFTER_LEASE_MS = 3_900_000;

// One row per bucket, so that one update sees and changes all holdings. The database's clock decides, because
// gateways may disagree on the time. A holding of a process that was killed is simply not renewed: it counts
// whole until its lease and the hour after it are over, and then falls out (E1).
const BUY = `
  insert into gateway.limit_blocks as block (bucket, holdings)
  values ($1, jsonb_build_object($2::text, jsonb_build_object(
    'units', least($4::int, $5::int),
    'counts_until', extract(epoch from clock_timestamp()) * 1000 + $6::float8)))
  on conflict (bucket) do update set holdings = (
    with others as (
      select key, value from jsonb_each(block.holdings)
      where key <> $2 and (value->>'counts_until')::float8 > extract(epoch from clock_timestamp()) * 1000
    )
    select coalesce((select jsonb_object_agg(key, value) from others), '{}')
      || jsonb_build_object($2::text, jsonb_build_object(
        'units', greatest($3::int, least($4::int, $5::int -
          coalesce((select sum((value->>'units')::int) from others), 0)::int)),
        'counts_until', extract(epoch from clock_timestamp()) * 1000 + $6::float8)))
  returning holdings`;

// A bucket counts for nothing once all its holdings have ended; one that is being bought meanwhile stays.
const FORGET = `
  delete from gateway.limit_blocks where bucket in (
    select bucket from gateway.limit_blocks block where not exists (
      select 1 from jsonb_each(block.holdings)
      where (value->>'counts_until')::float8 > extract(epoch from clock_timestamp()) * 1000)
    limit 1000 for update skip locked)`;
/** So that strangers’ addresses make no more rows than this beside those that count. */
export const FORGET_EVERY = 500;

interface StoredHolding {
  readonly units: number;
  readonly counts_until: number;
}

/** The table, written by one row update per block. */
export function storedLimitBlocks(sql: Sql): LimitBlocks {
  let bought = 0;
  return {
    async buy({ bucket, gateway, used, wanted, limit, lease_ms }) {
      const values = [bucket, gateway, used, wanted, limit, lease_ms + COUNTS_AFTER_LEASE_MS];
      const [row] = await sql
        .query<{ holdings: Record<string, StoredHolding> }>(BUY, values)
        .catch((cause: unknown) => {
          throw new Unavailable('limits', { cause });
        });
      bought += 1;
      // What fails is done with the next one.
      if (bought % FORGET_EVERY === 0) await sql.query(FORGET).catch(() => undefined);
      const { [gateway]: own, ...rest } = row?.holdings ?? {};
      const others = Object.values(rest);
      return {
        units: own?.units ?? 0,
        others: others.reduce((sum, { units }) => sum + units, 0),
        others_free_at: others.length
          ? Math.ceil(Math.min(...others.map(({ counts_until }) => counts_until)) / 1000)
          : null,
      };
    },
  };
}
