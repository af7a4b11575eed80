import { sessionTokensIn, type Route } from '@tender/contracts';
import { ApiError, answerOf, notFound } from '@tender/http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import {
  identityHeaders,
  limitHeaders,
  SECURITY_HEADERS,
  sendError,
} from '../answering/answer-headers';
import type { EdgeOptions } from '../edge-options';
import type { EdgeRequest } from '../edge-request';
import type { RouteLimits } from '../limits/route-limits';
import type { Verdict } from '../limits/limiter';
import { countDecision, rateLimitExceeded, tellVerdict } from '../limits/tell-verdict';
import { adminNetworks } from './admin-networks';
import { approvalOrigin } from './approval-origin';
import type { ClientAddresses } from './client-address';
import { credentials, modeOfKeyIn, type Identity } from './credentials';
import { mayExist, modeOfRequest, namedObjects, type NamedObject } from './named-objects';
import { correlationIdIn, readHeaders } from './read-headers';
import type { RouteTable } from './route-table';
import { pathOf, refuseOddHead, refuseUnreadableBody, refuseUnreadablePath } from './unreadable';

const UNKNOWN: Identity = { kind: 'anyone' };

/**
 * The first hook: correlation, route, credential, mode, limit, whether what the path names can be there, and whether
 * the body is one that we read at all, in this order. What is refused here is answered here and costs no more than
 * that.
 */
export function admitRequest(
  options: EdgeOptions,
  table: RouteTable,
  limits: RouteLimits,
  addressOf: ClientAddresses,
) {
  const { runtime } = options;
  const identify = credentials(options, { refuse: refuseGuess, count: countGuess });
  const isHidden = adminNetworks(options.config.admin_networks);
  const approval = approvalOrigin(() => options.approval_url?.() ?? null);

  return function onRequest(
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): void {
    const edge: EdgeRequest = {
      edge_route: request.is404 ? null : (request.routeOptions.config.edge ?? null),
      headers: readHeaders(request.raw),
      correlation_id: correlationIdIn(request.raw.headers) ?? runtime.random.uuid(),
      client: addressOf(request.raw),
      identity: UNKNOWN,
      mode: 'test',
      verdict: null,
      notes: [],
      body: null,
      claim: null,
    };
    request.edge = edge;
    void reply.headers(SECURITY_HEADERS);
    const { route = null } = edge.edge_route ?? {};
    if (route) void reply.headers(approval.headersFor(request.raw, route));
    const refuse = (error: unknown): void => refuseRequest(request, reply, edge, error);
    const meant = edge.edge_route === null ? table.meantPage(request.raw.url ?? '/') : null;
    if (meant !== null) return leadTo(meant, reply, edge);
    const allowed = route ? null : preflightOf(request.raw);
    if (allowed) return answerPreflight(allowed, reply, edge);
    try {
      const pending = admit(request, reply, edge);
      if (pending === undefined) done();
      else pending.then(() => done(), refuse);
    } catch (error) {
      refuse(error);
    }
  };

  function preflightOf(asked: FastifyRequest['raw']) {
    if (asked.method !== 'OPTIONS') return null;
    return approval.preflight(asked, table.methodsForApproval(pathOf(asked.url ?? '/')));
  }

  function answerPreflight(
    allowed: Readonly<Record<string, string>>,
    reply: FastifyReply,
    edge: EdgeRequest,
  ): void {
    void reply.headers(limitHeaders(limits.lookAt(edge.client.counted)));
    void reply.headers(identityHeaders(edge.correlation_id, edge.mode));
    void reply.status(204).headers(allowed).send();
  }

  /** For good, and with what was sent. */
  function leadTo(address: string, reply: FastifyReply, edge: EdgeRequest): void {
    void reply.headers(limitHeaders(limits.lookAt(edge.client.counted)));
    void reply.headers(identityHeaders(edge.correlation_id, edge.mode));
    void reply.redirect(address, 308);
  }

  function admit(request: FastifyRequest, reply: FastifyReply, edge: EdgeRequest) {
    const url = request.raw.url ?? '/';
    refuseOddHead(request.raw);
    refuseUnreadablePath(url);
    const path = edge.edge_route?.route.path ?? pathOf(url);
    if (isHidden(path, edge.client.full)) throw notFound();
    if (edge.edge_route === null) throw table.refusalOf(pathOf(url));
    const identity = identify(edge.edge_route.route, {
      ...{ raw: request.raw, headers: edge.headers, address: edge.client.counted },
    });
    return identity instanceof Promise
      ? identity.then((known) => admitIdentity(request, reply, edge, known))
      : admitIdentity(request, reply, edge, identity);
  }

  function admitIdentity(
    request: FastifyRequest,
    reply: FastifyReply,
    edge: EdgeRequest,
    identity: Identity,
  ): Promise<void> | undefined {
    const { route } = edge.edge_route as NonNullable<EdgeRequest['edge_route']>;
    edge.identity = identity;
    const objects = namedObjects(request, route);
    edge.mode = modeOfRequest(edge.identity, objects);
    const bucket = bucketOf(route, objects);
    const verdict = limits.admit(route, edge.identity, edge.client.counted, bucket);
    if (verdict instanceof Promise) {
      return verdict.then((given) => letIn(request, reply, edge, objects, given));
    }
    letIn(request, reply, edge, objects, verdict);
    return undefined;
  }

  function letIn(
    request: FastifyRequest,
    reply: FastifyReply,
    edge: EdgeRequest,
    objects: readonly NamedObject[],
    verdict: Verdict,
  ): void {
    const { route } = edge.edge_route as NonNullable<EdgeRequest['edge_route']>;
    void reply.headers(identityHeaders(edge.correlation_id, edge.mode));
    countDecision(runtime.telemetry, route.limit, verdict);
    tellVerdict(edge, reply, verdict, options.config.limits_way_out);
    if (edge.identity.kind === 'key') options.keys.used(edge.identity.holder.key_id);
    const { identity, mode, headers } = edge;
    const is_unasked = identity.kind === 'anyone' && route.method !== 'GET';
    const mode_of_key = is_unasked ? modeOfKeyIn(headers) : null;
    if (!mayExist(identity, mode, objects, mode_of_key)) throw notFound(route.not_found);
    refuseUnreadableBody(request.raw, route);
  }

  function refuseGuess(address: string): void {
    const verdict = limits.lookAtBadKeys(address);
    if (!verdict.admitted) throw new BadKeysUsedUp(verdict);
  }

  function countGuess(address: string): void {
    countDecision(runtime.telemetry, 'bad_key', limits.admitBadKey(address));
  }

  /** Answers that take from no bucket show the IP's; bad keys have their own, and run out. */
  function refuseRequest(
    request: FastifyRequest,
    reply: FastifyReply,
    edge: EdgeRequest,
    error: unknown,
  ): void {
    let refusal = error;
    if (!reply.hasHeader('X-RateLimit-Limit')) {
      const of_bad_keys = badKeyVerdict(edge, error);
      if (of_bad_keys) {
        countDecision(runtime.telemetry, 'bad_key', of_bad_keys);
        if (!of_bad_keys.admitted) {
          refusal = rateLimitExceeded(of_bad_keys, options.config.limits_way_out);
        }
      }
      void reply.headers(limitHeaders(of_bad_keys ?? limits.lookAt(edge.client.counted)));
      void reply.headers(identityHeaders(edge.correlation_id, edge.mode));
    }
    sendError(reply, answerOf(refusal, runtime.log, edge.correlation_id));
  }

  /** Null unless a key or a session was bad, or could not be looked at. */
  function badKeyVerdict({ headers, client }: EdgeRequest, error: unknown): Verdict | null {
    if (error instanceof BadKeysUsedUp) return error.verdict;
    const is_sent = headers.authorizations > 0 || sessionTokensIn(headers.cookie).length > 0;
    const is_bad_key = error instanceof ApiError && error.status === 401 && is_sent;
    return is_bad_key ? limits.admitBadKey(client.counted) : null;
  }
}

/** The key may be good: it was not looked up. */
class BadKeysUsedUp extends Error {
  constructor(readonly verdict: Verdict) {
    super('the bad keys of this address are used up');
  }
}

/** Strangers are counted by what they name; null where the body is still to name it. */
const bucketOf = ({ body_object }: Route, objects: readonly NamedObject[]): string | null =>
  body_object ? null : objects.map(({ id }) => id).join('|');
