import type { RequestContext } from '@tender/contracts';
import type { ReadModels } from '@tender/eventing';
import type { FastifyReply } from 'fastify';
import { listing } from './listing';

interface Row {
  readonly name: string;
}

const jars = listing({
  view: { table: 'cellar.jars', schema: 'cellar', follower: (mode) => `cellar.jars@1:${mode}` },
  columns: 'name',
  filters: { shelf: 'shelf_no' },
  show: ({ name }: Row, { merchant_name }) => `${name} of ${merchant_name}`,
});
const uncut = listing({
  view: { table: 'cellar.jars', schema: 'cellar', follower: null },
  pages: false,
  show: ({ name }: Row) => name,
});

/** Tables that hold some rows, and remember what they were asked. */
function tables(total: number, ...names: readonly string[]) {
  const asked: [text: string, values: readonly unknown[]][] = [];
  const waited: unknown[] = [];
  const headers: Record<string, unknown> = {};
  const readModels = {
    query: async (text: string, values: readonly unknown[] = []) => {
      asked.push([text, values]);
      return text.startsWith('select count') ? [{ total }] : names.map((name) => ({ name }));
    },
    waitFor: async (...args: unknown[]) => {
      waited.push(args);
      return true;
    },
  } as unknown as ReadModels;
  const reply = { header: (name: string, value: unknown) => (headers[name] = value) };
  const answer = reply as unknown as FastifyReply;
  return { runtime: { readModels }, asked, waited, headers, reply: answer };
}

const caller = {
  ...{ merchant_id: 'm1', mode: 'live', merchant_name: 'Ada', min_position: '9' },
} as RequestContext;
const MINE = 'from cellar.jars as listed where merchant_id = $1 and mode = $2';

test('a page is the caller’s own, newest first, as it shows', async () => {
  const { runtime, asked, waited, reply } = tables(7, 'plum', 'pear');
  const page = await jars.paginated(runtime, caller, { limit: 2, offset: 4 }, reply);
  expect(page).toEqual({
    data: ['plum of Ada', 'pear of Ada'],
    pagination: { limit: 2, offset: 4, total: 7, has_more: true },
  });
  expect(asked).toEqual([
    [`select name ${MINE} order by created_at desc, id desc limit $3 offset $4`, ['m1', 'live', 2, 4]],
    [`select count(*)::float8 as total ${MINE}`, ['m1', 'live']],
  ]);
  expect(waited).toEqual([['cellar', 'cellar.jars@1:live', '9', 500]]);
});

test('the last page says so', async () => {
  const { runtime, reply } = tables(6, 'plum', 'pear');
  const { pagination } = await jars.paginated(runtime, caller, { limit: 2, offset: 4 }, reply);
  expect(pagination.has_more).toBe(false);
});

test.each([
  ['that ends before its limit', { limit: 3, offset: 4 }, ['plum', 'pear'], 6, 1],
  ['that is full', { limit: 2, offset: 4 }, ['plum', 'pear'], 7, 2],
  ['without anything', { limit: 2, offset: 0 }, [], 0, 1],
  ['beyond the end', { limit: 2, offset: 9 }, [], 7, 2],
] as const)('of a page %s, all are counted only where it does not show how many', async (...of) => {
  const [, query, names, total, questions] = of;
  const { runtime, asked, reply } = tables(7, ...names);
  const { pagination } = await jars.paginated(runtime, caller, query, reply);
  expect(pagination).toMatchObject({ total, has_more: total > query.offset + names.length });
  expect(asked).toHaveLength(questions);
});

test('a filter that is given counts, in the page and in the total', async () => {
  const { runtime, asked, headers, reply } = tables(3, 'plum');
  expect(await jars.array(runtime, caller, { shelf: 'B', limit: 1 }, reply)).toEqual(['plum of Ada']);
  expect(headers).toEqual({ 'X-Total-Count': '3' });
  expect(asked.map(([, values]) => values)).toEqual([
    ['m1', 'live', 'B', 1, 0],
    ['m1', 'live', 'B'],
  ]);
  expect(asked[1]?.[0]).toBe(`select count(*)::float8 as total ${MINE} and shelf_no = $3`);
});

test('a filter that is null or absent is none', async () => {
  const { runtime, asked, reply } = tables(0);
  await jars.array(runtime, caller, { shelf: null }, reply);
  await jars.array(runtime, caller, {}, reply);
  expect(asked.every(([text]) => !text.includes('shelf_no'))).toBe(true);
});

test('a list that is never cut has no limit; one that no projection writes waits for none', async () => {
  const { runtime, asked, waited, reply } = tables(1, 'plum');
  await uncut.array(runtime, caller, {}, reply);
  expect(asked[0]).toEqual([`select state ${MINE} order by created_at desc, id desc`, ['m1', 'live']]);
  expect(waited).toEqual([]);
});

const bounded = listing({
  view: { table: 'cellar.jars', schema: 'cellar', follower: null },
  filters: { shelf: 'shelf_no', since: { from: 'filled_at' }, until: { to: 'filled_at' } },
  limit: 50,
  show: ({ name }: Row) => name,
});

test('a bound counts itself, and a list has a default of its own', async () => {
  const full = Array.from({ length: 50 }, () => 'plum');
  const { runtime, asked, reply } = tables(53, ...full);
  const query = { until: '2026-05-31', shelf: 'B', since: '2026-05-01' };
  const page = await bounded.page(runtime, caller, query, reply);
  expect(page).toEqual({ items: full, total: 53, limit: 50, offset: 0 });
  expect(asked[1]).toEqual([
    `select count(*)::float8 as total ${MINE} and shelf_no = $3 and filled_at >= $4 and filled_at <= $5`,
    ['m1', 'live', 'B', '2026-05-01', '2026-05-31'],
  ]);
});
