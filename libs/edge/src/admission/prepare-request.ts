import { hash } from 'node:crypto';
import { actorText, type Actor, type RequestContext, type Route } from '@tender/contracts';
import { notFound, readBody, readQuery, type RouteReader } from '@tender/http';
import canonicalize from 'canonicalize';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { merchantOf, type Identity } from './credentials';
import { modeOfRequest, namedObjects, objectInBody, type NamedObject } from './named-objects';
import { lastEventIdIn } from './read-headers';
import { pathOf, refuseStrangeIds } from './unreadable';
import { identityHeaders, ignoredFieldsHeader } from '../answering/answer-headers';
import type { NewestPositions } from '../answering/newest-positions';
import type { EdgeOptions } from '../edge-options';
import type { EdgeRequest } from '../edge-request';
import { idempotencyKeyIn, type Idempotency } from '../idempotency/idempotency';
import type { Verdict } from '../limits/limiter';
import type { RouteLimits } from '../limits/route-limits';
import { countDecision, tellVerdict } from '../limits/tell-verdict';

interface Ids {
  readonly command_id: string;
  readonly id_seed: string;
}

/**
 * The hook after the body was parsed: query, ids in the path, idempotency, validation, and the context that
 * the handler gets as `request.tender`. A fault in a body that came with a key is an answer of that key, so
 * the key is claimed first.
 */
export function prepareRequest(
  { runtime, config }: EdgeOptions,
  idempotent: Idempotency,
  positions: NewestPositions,
  limits: RouteLimits,
) {
  return function preValidation(
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): void {
    const edge = request.edge as EdgeRequest;
    const edge_route = edge.edge_route as RouteReader;
    try {
      refuseStrangeIds(request);
      request.query = readQuery(request.raw.url as string, edge_route);
      const named = objectInBody(request.body, edge_route.route);
      if (named !== null) takeObject(named, edge, reply);
      const body_hash = bodyHashOf(request);
      const key = edge_route.route.idempotent ? idempotencyKeyIn(edge.headers) : null;
      if (edge.identity.kind === 'anyone' && named?.mode === null) {
        // Its faults come first. It names no object that could be there, so nothing says whose key it is.
        readBody(request.body, edge.notes, edge_route);
        throw notFound(edge_route.route.not_found);
      }
      if (key === null) {
        finish(request, reply, edge, freshIds(), body_hash);
        done();
        return;
      }
      const scope = scopeOf(request, edge, edge_route.route, key, named);
      idempotent.claim(scope, body_hash).then((claimed) => {
        if (claimed.kind === 'replay') {
          const { status, content_type, ignored_fields, body } = claimed.answer;
          void reply.status(status).header('Idempotency-Replayed', 'true');
          if (ignored_fields !== null) void reply.header('X-Svc-Ignored-Fields', ignored_fields);
          void reply.header('Content-Type', content_type).send(body);
          return;
        }
        edge.claim = claimed.claim;
        finish(request, reply, edge, claimed.claim, body_hash);
        done();
      }).catch((error: unknown) => done(error as Error));
    } catch (error) {
      done(error as Error);
    }
  };

  /** A stranger’s request was admitted before its body was there to say the object, and with it the mode. */
  function takeObject(named: NamedObject, edge: EdgeRequest, reply: FastifyReply): void {
    const { identity, client } = edge;
    edge.mode = modeOfRequest(identity, [named]);
    void reply.headers(identityHeaders(edge.correlation_id, edge.mode));
    // One that names none stays what it was counted as.
    if (identity.kind !== 'anyone' || named.mode === null) return;
    const { route } = edge.edge_route as RouteReader;
    const verdict = limits.admitNamed(route, client.counted, named.id, edge.verdict as Verdict);
    if (!verdict.admitted) countDecision(runtime.telemetry, route.limit, verdict);
    tellVerdict(edge, reply, verdict, config.limits_way_out);
  }

  function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    edge: EdgeRequest,
    ids: Ids,
    body_hash: string,
  ): void {
    const edge_route = edge.edge_route as RouteReader;
    const { route } = edge_route;
    if (!route.form) {
      const { value, ignored } = readBody(request.body, edge.notes, edge_route);
      if (ignored.length > 0) void reply.header('X-Svc-Ignored-Fields', ignoredFieldsHeader(ignored));
      request.body = value;
    }
    // Only a body that a class has read is bounded: the reason in it fits into a header.
    const body = edge_route.body === null ? null : (request.body as { reason?: unknown });
    const said = contextOf(edge, route, body, ids, body_hash);
    request.tender = route.stream ? { ...said, ...lastEventIdIn(request.raw) } : said;
  }

  function freshIds(): Ids {
    const bytes = runtime.random.bytes(32);
    return { command_id: bytes.toString('hex', 0, 16), id_seed: bytes.toString('hex', 16, 32) };
  }

  function contextOf(
    edge: EdgeRequest,
    route: Route,
    body: { readonly reason?: unknown } | null,
    { command_id, id_seed }: Ids,
    body_hash: string,
  ): RequestContext {
    const { identity, mode, correlation_id } = edge;
    const holder = merchantOf(identity);
    const asker = askerOf(identity, body);
    return {
      merchant_id: holder?.merchant_id ?? '',
      mode,
      merchant_name: holder?.merchant_name ?? '',
      wallet: holder?.wallet ?? null,
      amount_max: holder?.amount_max ?? 0,
      // A gateway and a service of two releases may stand beside each other: events keep this text.
      actor: actorText(asker),
      asker,
      client_address: edge.client.full,
      command_id,
      id_seed,
      body_hash,
      correlation_id,
      min_position: holder ? positions.newest(holder.merchant_id, mode, route.context) : null,
    };
  }
}

function askerOf(identity: Identity, body: { readonly reason?: unknown } | null): Actor {
  if (identity.kind === 'key') return { kind: 'key', key_id: identity.holder.key_id };
  if (identity.kind === 'session') return { kind: 'session', session_id: identity.holder.session_id };
  if (identity.kind === 'setup') return { kind: 'setup', token_hash: identity.holder.token_hash };
  if (identity.kind === 'anyone') return { kind: 'public' };
  return { kind: 'admin', reason: typeof body?.reason === 'string' ? body.reason : null };
}

/** The fingerprint of a write: concrete path, query and canonical body (specification §1.8, RFC 8785). */
function bodyHashOf(request: FastifyRequest): string {
  if (request.raw.method === 'GET' || request.raw.method === 'HEAD') return '';
  const body = request.body === undefined ? '' : (canonicalize(request.body) as string);
  return hash('sha256', `${request.raw.url as string}\n${body}`);
}

/**
 * Merchant, mode, method, template, key; on public routes the object and at sign-up the e-mail, not the merchant. What
 * a session was answered, a live key perhaps, is not repeated to a key; and the mode that it is in by itself changes
 * with the first live key, which a request that is sent again may have made.
 */
function scopeOf(
  request: FastifyRequest,
  { identity, mode }: EdgeRequest,
  route: Route,
  key: string,
  named: NamedObject | null,
): readonly string[] {
  const { method, path } = route;
  const holder = merchantOf(identity);
  if (identity.kind === 'session') {
    const { holder: { merchant_id }, asked } = identity;
    return ['session', merchant_id, asked ?? 'unsaid', method, path, key];
  }
  if (holder !== null) return ['merchant', holder.merchant_id, mode, method, path, key];
  if (route.limit === 'sign_up') {
    const { email } = (request.body ?? {}) as { email?: unknown };
    const address = typeof email === 'string' ? email.trim().toLowerCase() : '';
    return ['sign-up', address, mode, method, path, key];
  }
  if (identity.kind === 'admin') return ['admin', pathOf(request.raw.url as string), mode, method, path, key];
  const objects = named === null ? namedObjects(request, route) : [named];
  return ['object', ...objects.map(({ id }) => id), mode, method, path, key];
}
