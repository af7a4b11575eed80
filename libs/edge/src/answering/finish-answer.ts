import { POSITION_HEADER } from '@tender/http';
import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from 'fastify';
import { merchantOf } from '../admission/credentials';
import type { EdgeRequest } from '../edge-request';
import type { RouteLimits } from '../limits/route-limits';
import { JSON_TYPE, limitHeaders, nameStranger } from './answer-headers';
import type { NewestPositions } from './newest-positions';

/** The last hook before the bytes leave: positions stay inside, final answers are kept for repeats. */
export function finishAnswer(positions: NewestPositions, limits: RouteLimits) {
  return function onSend(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: DoneFuncWithErrOrRes,
  ): void {
    const { edge } = request;
    if (edge === null) {
      nameStranger(reply);
    } else {
      keepPosition(edge, reply);
      endClaim(edge, reply, payload);
      if (reply.statusCode === 503) giveBack(edge, reply);
      if (isMiss(edge, reply)) limits.missed(edge.client.counted);
    }
    done(null, payload);
  };

  function giveBack({ edge_route, identity, verdict }: EdgeRequest, reply: FastifyReply): void {
    if (edge_route === null || !verdict?.admitted) return;
    const after = limits.giveBack(edge_route.route, identity, verdict.at_ms);
    if (after) void reply.headers(limitHeaders(after));
  }

  function keepPosition(edge: EdgeRequest, reply: FastifyReply): void {
    const position = reply.getHeader(POSITION_HEADER);
    if (position === undefined) return;
    void reply.removeHeader(POSITION_HEADER);
    const { identity, mode, edge_route } = edge;
    const holder = merchantOf(identity);
    if (holder === null || edge_route === null) return;
    positions.tell(holder.merchant_id, mode, edge_route.route.context, String(position));
  }
}

/**
 * Guesses of strangers at ids are counted; a merchant has its own limit. A body that is refused has named an object
 * that was not looked for, which costs one request of that object’s alone: it counts as a guess, too.
 */
function isMiss({ edge_route, identity }: EdgeRequest, { statusCode }: FastifyReply): boolean {
  const route = edge_route?.route;
  const is_strangers =
    route?.auth === 'public' || (route?.auth === 'key_or_nobody' && identity.kind === 'anyone');
  if (!is_strangers) return false;
  return statusCode === 404 || (statusCode === 400 && route.body_object !== undefined);
}

function endClaim(edge: EdgeRequest, reply: FastifyReply, payload: unknown): void {
  if (edge.claim === null) return;
  const ignored = reply.getHeader('X-Svc-Ignored-Fields');
  edge.claim.end({
    status: reply.statusCode,
    content_type: String(reply.getHeader('Content-Type') ?? JSON_TYPE),
    ignored_fields: ignored === undefined ? null : String(ignored),
    body: typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString() : '',
  });
  edge.claim = null;
}
