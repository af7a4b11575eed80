import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { awaitOwnWrites, notFound } from '@tender/http';
import type { Mode } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import type { NewestRows } from './newest-rows';

/** A merchant that was told of it by a webhook may ask for it before its row is there. */
const WAIT_MS_MAX = 500;

type Reading = Pick<Runtime, 'readModels' | 'eventStore'>;

interface Row<State> {
  readonly merchant_id: string;
  readonly state: State;
}

/** A part of any merchant’s case; null where there is none in that mode. */
export async function findRow<State>(
  { readModels, eventStore }: Reading,
  { schema, follower, table }: NewestRows,
  mode: Mode,
  id: string,
): Promise<Row<State> | null> {
  const find = async (): Promise<Row<State> | null> => {
    const select = `select merchant_id, state from ${table} where id = $1 and mode = $2`;
    const [row] = await readModels.query<Row<State>>(select, [id, mode]);
    return row ?? null;
  };
  const found = await find();
  const newest = found === null ? await eventStore.newest() : null;
  if (newest === null) return found;
  await readModels.waitFor(schema, follower(mode), newest, WAIT_MS_MAX);
  return find();
}

/** The caller’s part of a case, once the rows hold what the caller wrote. Throws 404. */
export async function ownRow<State>(
  runtime: Reading,
  rows: NewestRows,
  caller: RequestContext,
  id: string,
  reply: FastifyReply,
): Promise<State> {
  const { merchant_id, mode } = caller;
  const { schema, follower } = rows;
  await awaitOwnWrites(runtime, caller, { schema, follower: follower(mode) }, reply);
  const row = await findRow<State>(runtime, rows, mode, id);
  if (row?.merchant_id !== merchant_id) throw notFound();
  return row.state;
}
