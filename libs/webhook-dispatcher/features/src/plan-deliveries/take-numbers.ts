import type { Sql } from '@tender/eventing';
import { merchantKey, type MerchantInMode } from '../merchant-in-mode';

/** Counts on by one per mention and returns each mention's own number, in the order given. */
type TakeNumbers<Key> = (sql: Sql, mentions: readonly Key[]) => Promise<number[]>;

// Rows are locked until the transaction ends, in the order of their keys: numbers become visible in
// their own order, and two planners never wait for each other in a circle.
const TAKE_CURSORS = `
  insert into webhook_dispatcher.merchant_cursors as counter (mode, merchant_id, cursor)
  select mode, merchant_id, count(*) from unnest($1::text[], $2::text[]) as asked (mode, merchant_id)
  group by mode, merchant_id order by mode, merchant_id
  on conflict (mode, merchant_id) do update set cursor = counter.cursor + excluded.cursor
  returning mode || ':' || merchant_id as key, cursor::float8 as last`;

const TAKE_VERSIONS = `
  insert into webhook_dispatcher.resource_versions as counter (resource_id, version)
  select resource_id, count(*) from unnest($1::text[]) as asked (resource_id)
  group by resource_id order by resource_id
  on conflict (resource_id) do update set version = counter.version + excluded.version
  returning resource_id as key, version::float8 as last`;

interface Counter {
  readonly key: string;
  readonly last: number;
}

/** Positions in each merchant's event log of one mode: 1, 2, 3 … */
export const takeCursors: TakeNumbers<MerchantInMode> = async (sql, mentions) => {
  const counters = await sql.query<Counter>(TAKE_CURSORS, [
    mentions.map(({ mode }) => mode),
    mentions.map(({ merchant_id }) => merchant_id),
  ]);
  return handOut(counters, mentions.map(merchantKey));
};

/** `resource_version` of each event: 1, 2, 3 … per resource. */
export const takeVersions: TakeNumbers<string> = async (sql, resource_ids) =>
  handOut(await sql.query<Counter>(TAKE_VERSIONS, [resource_ids]), resource_ids);

function handOut(counters: readonly Counter[], keys: readonly string[]): number[] {
  const next = new Map(counters.map(({ key, last }) => [key, last]));
  return keys
    .toReversed()
    .map((key) => {
      const number = next.get(key) as number;
      next.set(key, number - 1);
      return number;
    })
    .toReversed();
}
