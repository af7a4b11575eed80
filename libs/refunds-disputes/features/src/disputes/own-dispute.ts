import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { awaitOwnWrites, notFound } from '@tender/http';
import type { Mode } from '@tender/kernel';
import type { Dispute } from '@tender/refunds-disputes-domain';
import type { FastifyReply } from 'fastify';
import { DISPUTES } from './disputes.projection';

/** One who was told of a dispute by a webhook may ask for it at once: so long its row is waited for. */
const WAIT_MS_MAX = 500;

type Reading = Pick<Runtime, 'eventStore' | 'readModels'>;

/** Null where there is none in that mode. */
export async function findDispute(
  { eventStore, readModels }: Reading,
  mode: Mode,
  id: string,
): Promise<Dispute | null> {
  const find = () =>
    readModels.query<{ state: Dispute }>(
      `select state from ${DISPUTES.table} where id = $1 and mode = $2`,
      [id, mode],
    );
  const [row] = await find();
  if (row) return row.state;
  const newest = await eventStore.newest();
  if (newest === null) return null;
  await readModels.waitFor(DISPUTES.schema, DISPUTES.follower(mode), newest, WAIT_MS_MAX);
  const [late] = await find();
  return late?.state ?? null;
}

/** The caller’s dispute; absent, foreign and of the other mode are one and the same 404. */
export async function ownDispute(
  runtime: Reading,
  caller: RequestContext,
  id: string,
  reply: FastifyReply,
): Promise<Dispute> {
  const { schema, follower } = DISPUTES;
  const awaited = { schema, follower: follower(caller.mode) };
  await awaitOwnWrites(runtime, caller, awaited, reply);
  const found = await findDispute(runtime, caller.mode, id);
  if (found?.terms.merchant_id !== caller.merchant_id) throw notFound();
  return found;
}
