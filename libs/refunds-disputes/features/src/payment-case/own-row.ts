import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { awaitOwnWrites, notFound } from '@tender/http';
import type { FastifyReply } from 'fastify';
import type { NewestRows } from './newest-rows';

/** The caller’s part of a case, once the rows hold what the caller wrote. Throws 404. */
export async function ownRow<State>(
  { readModels }: Pick<Runtime, 'readModels'>,
  { schema, follower, table }: NewestRows,
  caller: RequestContext,
  id: string,
  reply: FastifyReply,
): Promise<State> {
  const { merchant_id, mode } = caller;
  await awaitOwnWrites({ readModels }, caller, { schema, follower: follower(mode) }, reply);
  const [row] = await readModels.query<{ readonly state: State }>(
    `select state from ${table} where id = $1 and merchant_id = $2 and mode = $3`,
    [id, merchant_id, mode],
  );
  if (!row) throw notFound();
  return row.state;
}
