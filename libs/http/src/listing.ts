import {
  NUMBERED_PAGE_LIMIT,
  PAGE_LIMIT_DEFAULT,
  type NumberedPageQuery,
  type NumberedPagination,
  type PageQuery,
  type Pagination,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime, StreamMode } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { awaitOwnWrites } from './own-writes';

/** What a list reads: columns `merchant_id` and `mode` say whose each row is. */
export interface Listed {
  /** Qualified, or a query in parentheses. */
  readonly table: string;
  readonly schema: string;
  /** The follower that writes the rows; null where they are written together with what they tell of. */
  readonly follower: ((mode: StreamMode) => string) | null;
}

/** The column that equals the filter, or that the filter bounds, the bound included. */
export type Compared = string | { readonly from: string } | { readonly to: string };

const conditionOf = (compared: Compared, place: string): string => {
  if (typeof compared === 'string') return `${compared} = ${place}`;
  return 'from' in compared ? `${compared.from} >= ${place}` : `${compared.to} <= ${place}`;
};

export interface ListingOptions<Filters extends object, Row, Item> {
  readonly view: Listed;
  /** `state` by default. */
  readonly columns?: string;
  /** For each filter the column that it compares, where it is given. */
  readonly filters?: { readonly [Filter in keyof Filters]: Compared };
  /** Newest first with the id as tie-break, by default (specification §1.7). */
  readonly order?: string;
  /** `everyone`: an operator’s list, of all merchants and modes. */
  readonly of?: 'caller' | 'everyone';
  /** False for lists that are never cut. */
  readonly pages?: boolean;
  /** How many at most, unless told; `PAGE_LIMIT_DEFAULT` by default. */
  readonly limit?: number;
  readonly show: (row: Row, caller: RequestContext) => Item;
}

/** Filters that are null or absent are none. */
export type FiltersAsked<Filters> = { readonly [Filter in keyof Filters]?: Filters[Filter] | null };

export interface Page<Item> {
  readonly items: Item[];
  /** Of all pages. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

type Reading = Pick<Runtime, 'readModels'>;

/** Does not compile when a query has a field that is neither a filter of the list nor of its page. */
type OnlyFilters<Query, Filters> =
  Exclude<keyof Query, keyof Filters | keyof PageQuery | keyof NumberedPageQuery> extends never
    ? unknown
    : never;

export interface Listing<Filters extends object, Item> {
  /** The caller's own, of its mode, as `{data, pagination}`. */
  paginated<Query extends FiltersAsked<Filters> & PageQuery>(
    runtime: Reading,
    caller: RequestContext,
    query: Query & OnlyFilters<Query, Filters>,
    reply: FastifyReply,
  ): Promise<{ data: Item[]; pagination: Pagination }>;
  /** The same by the page’s number, from 1 on. */
  numbered<Query extends FiltersAsked<Filters> & NumberedPageQuery>(
    runtime: Reading,
    caller: RequestContext,
    query: Query & OnlyFilters<Query, Filters>,
    reply: FastifyReply,
  ): Promise<{ data: Item[]; pagination: NumberedPagination }>;
  /** The caller's own, of its mode, for lists that name their items. */
  page<Query extends FiltersAsked<Filters> & PageQuery>(
    runtime: Reading,
    caller: RequestContext,
    query: Query & OnlyFilters<Query, Filters>,
    reply: FastifyReply,
  ): Promise<Page<Item>>;
  /** The caller's own, of its mode, as a bare array; the total goes into `X-Total-Count`. */
  array<Query extends FiltersAsked<Filters> & PageQuery>(
    runtime: Reading,
    caller: RequestContext,
    query: Query & OnlyFilters<Query, Filters>,
    reply: FastifyReply,
  ): Promise<Item[]>;
}

async function counted(
  { readModels }: Reading,
  from: string,
  values: readonly unknown[],
): Promise<number> {
  const count = `select count(*)::float8 as total ${from}`;
  const [row] = await readModels.query<{ total: number }>(count, values);
  invariant(row, 'a count has one row');
  return row.total;
}

/** A list of a merchant's objects: waits for what the caller wrote, reads a page and tells how many there are. */
export function listing<Row, Item, Filters extends object = object>(
  options: ListingOptions<Filters, Row, Item>,
): Listing<Filters, Item> {
  const { view, columns = 'state', order = 'created_at desc, id desc', pages = true } = options;
  const { of = 'caller' } = options;
  const filters = Object.entries<Compared>(options.filters ?? {});

  async function page(
    { readModels }: Reading,
    caller: RequestContext,
    query: FiltersAsked<Filters> & PageQuery,
    reply: FastifyReply,
  ): Promise<Page<Item>> {
    const { merchant_id, mode } = caller;
    const { limit = options.limit ?? PAGE_LIMIT_DEFAULT, offset = 0 } = query;
    const { schema, follower } = view;
    if (follower) {
      const awaited = { schema, follower: follower(mode) };
      await awaitOwnWrites({ readModels }, caller, awaited, reply);
    }
    const values: unknown[] = of === 'caller' ? [merchant_id, mode] : [];
    const placeOf = (value: unknown): string => `$${values.push(value)}`;
    const asked = query as Readonly<Record<string, unknown>>;
    const given = filters.filter(([name]) => asked[name] != null);
    const whose = of === 'caller' ? 'merchant_id = $1 and mode = $2' : 'true';
    const conditions = given.map(
      ([name, compared]) => ` and ${conditionOf(compared, placeOf(asked[name]))}`,
    );
    const from = `from ${view.table} as listed where ${whose}${conditions.join('')}`;
    const filter = [...values];
    const cut = pages ? ` limit ${placeOf(limit)} offset ${placeOf(offset)}` : '';
    const rows = await readModels.query<Row>(
      `select ${columns} ${from} order by ${order}${cut}`,
      values,
    );
    const items = rows.map((row) => options.show(row, caller));
    if (!pages) return { items, total: rows.length, limit, offset };
    // Rows that end before the page does show how many there are.
    const is_end = rows.length < limit && (rows.length > 0 || offset === 0);
    const total = is_end ? offset + rows.length : await counted({ readModels }, from, filter);
    return { items, total, limit, offset };
  }

  return {
    page,
    async paginated(runtime, caller, query, reply) {
      const { items, total, limit, offset } = await page(runtime, caller, query, reply);
      const has_more = offset + items.length < total;
      return { data: items, pagination: { limit, offset, total, has_more } };
    },
    async numbered(runtime, caller, query, reply) {
      const { page: number = 1, limit = NUMBERED_PAGE_LIMIT } = query;
      const asked = { ...query, limit, offset: (number - 1) * limit };
      const { items, total } = await page(runtime, caller, asked, reply);
      const total_pages = Math.ceil(total / limit);
      return { data: items, pagination: { page: number, limit, total, total_pages } };
    },
    async array(runtime, caller, query, reply) {
      const { items, total } = await page(runtime, caller, query, reply);
      void reply.header('X-Total-Count', String(total));
      return items;
    },
  };
}
