import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { FastifyReply } from 'fastify';

const WAIT_MS_MAX = 500;
const STALE_HEADER = 'X-Svc-Stale';

/**
 * Before a list is read: waits until the projection holds what this caller wrote, for half a second at
 * most; then the answer says that it may be stale (P4).
 */
export async function awaitOwnWrites(
  { readModels }: Pick<Runtime, 'readModels'>,
  { min_position }: Pick<RequestContext, 'min_position'>,
  { schema, follower }: { readonly schema: string; readonly follower: string },
  reply: FastifyReply,
): Promise<void> {
  if (min_position === null) return;
  const is_fresh = await readModels.waitFor(schema, follower, min_position, WAIT_MS_MAX);
  if (!is_fresh) void reply.header(STALE_HEADER, 'true');
}
