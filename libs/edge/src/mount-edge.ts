import { platformRoutes, type Route } from '@tender/contracts';
import {
  answerOfRequest,
  ApiError,
  invalidParameter,
  JsonFault,
  openStreams,
  parseJson,
  parseQuery,
  routeReader,
  type RouteReader,
} from '@tender/http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { admitRequest } from './admission/admit-request';
import { boundStreams } from './admission/bound-streams';
import { clientAddresses } from './admission/client-address';
import { refuseOverload } from './admission/refuse-overload';
import { correlationIdIn } from './admission/read-headers';
import { routeTable } from './admission/route-table';
import { FORM_TYPE } from './admission/unreadable';
import { identityHeaders, limitHeaders, SECURITY_HEADERS, sendError } from './answering/answer-headers';
import { answerTogether } from './answering/answer-together';
import { finishAnswer } from './answering/finish-answer';
import { measureAnswers } from './answering/measure-answers';
import { newestPositions } from './answering/newest-positions';
import { pageErrors } from './answering/page-errors';
import { guardConnections } from './connections/guard-connections';
import { sharesOf, type EdgeOptions } from './edge-options';
import { ANSWER_LIFETIME_MS, idempotency } from './idempotency/idempotency';
import { storedAnswers } from './idempotency/stored-answer.record';
import { storedLimitBlocks } from './limits/limit-block.record';
import { routeLimits } from './limits/route-limits';
import { platformPages } from './platform-pages';
import { BODY_BYTES_MAX, type StrangerHeaders } from './server-options';
import { prepareRequest } from './admission/prepare-request';

export interface Edge {
  /** Every answer that is to be kept has reached the table. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Puts the gateway in front of everything that is later registered on this server: keys, limits, idempotency,
 * validation, error shape. Only routes of the table are served; a handler that is not in it is 404, so that
 * nothing is reachable without a rule. The server is made with `edgeServerOptions()`; Nest takes it as
 * `new FastifyAdapter(server)` and must leave the body alone (`bodyParser: false`).
 */
export function mountEdge(fastify: FastifyInstance, options: EdgeOptions): Edge {
  const { runtime, config } = options;
  const routes = routesOf(options);
  const table = routeTable(routes);
  const addressOf = clientAddresses(config.trusted_proxies);
  const compiled = new Map<Route, RouteReader>(routes.map((route) => [route, routeReader(route)]));
  const limits = routeLimits({
    clock: runtime.clock,
    blocks: storedLimitBlocks(runtime.readModels),
    gateway: runtime.random.uuid(),
    keyRing: runtime.keyRing,
    config,
  });
  const answers = storedAnswers({
    sql: runtime.readModels,
    keyRing: runtime.keyRing,
    log: runtime.log,
    // 24 h that a client waits for are business time (specification §5): a test clock ends them.
    now: () => runtime.clock.now(),
    lifetime_ms: ANSWER_LIFETIME_MS,
    delays: options.delays,
    alone: options.alone,
  });
  const positions = newestPositions(runtime.eventStore, runtime.clock);
  const idempotent = idempotency({ answers, keyRing: runtime.keyRing, clock: runtime.clock });
  const prepare = prepareRequest(options, idempotent, positions, limits);

  const strangerHeaders: StrangerHeaders = (from) => ({
    ...SECURITY_HEADERS,
    ...limitHeaders(limits.lookAt(addressOf(from).counted)),
    ...identityHeaders(correlationIdIn(from.headers) ?? runtime.random.uuid(), 'test'),
  });
  fastify.decorate('strangerHeaders', strangerHeaders);
  fastify.decorateRequest('edge', null);
  parseBodies(fastify);
  takeAnyExpectation(fastify);
  measureAnswers(fastify, runtime.telemetry);
  const guard = guardConnections(fastify.server, options.delays, addressOf);
  refuseOverload(fastify, sharesOf(config), addressOf, guard);
  boundStreams(fastify, sharesOf(config).streams, addressOf);
  fastify.addHook('onRequest', admitRequest(options, table, limits, addressOf));
  fastify.addHook('onSend', finishAnswer(positions, limits));
  if (options.error_page) fastify.addHook('onSend', pageErrors(table, options.error_page));
  fastify.addHook('onSend', answerTogether(options.atEndOfTurn));
  fastify.addHook('onRoute', (registered) => mountRoute(registered));
  const streams = openStreams(fastify, options.delays);
  platformPages(fastify, options, routes);

  return {
    idle: () => answers.idle(),
    close: () => answers.idle(),
  };

  function mountRoute(registered: RouteOptions): void {
    const [method = 'GET'] = [registered.method].flat();
    const route = table.served(method, registered.url);
    if (!route) return;
    registered.config = { ...registered.config, edge: compiled.get(route) as RouteReader };
    registered.preValidation = [prepare, ...[registered.preValidation ?? []].flat()];
    if (route.stream) {
      const begin = registered.config.forwarded ? streams.passedOn : streams.own;
      registered.onSend = [...[registered.onSend ?? []].flat(), begin];
    }
    // Of hooks and parsers; what a Nest handler throws is answered by `ErrorFilter`.
    registered.errorHandler = (error, request, reply) => {
      const { raw, edge } = request;
      sendError(reply, answerOfRequest(error, raw, runtime.log, edge?.correlation_id ?? null));
    };
  }
}

/** What is served: the helpers of tests only where they are allowed, those without a key among them. */
function routesOf({ routes, config }: EdgeOptions): readonly Route[] {
  const all = [...new Set<Route>([...routes, ...platformRoutes])];
  return config.test_helpers ? all : all.filter(({ context }) => context !== 'sandbox');
}

/** Node answers an `Expect` that it does not know by itself, and not in our form: the first hook does it instead. */
function takeAnyExpectation({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Strict JSON, and forms of pages, up to 64 KiB. Everything else was refused before (415), but for empty bodies. */
function parseBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX } as const;
  fastify.addContentTypeParser<Buffer>(FORM_TYPE, options, (_, body, done) => {
    const { query, faults } = parseQuery(body.toString(), 'body');
    if (faults.length > 0) done(invalidParameter(...faults));
    else done(null, body.length === 0 ? undefined : query);
  });
  fastify.addContentTypeParser<Buffer>(['application/json', '*'], options, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      const { value, notes } = parseJson(body);
      if (request.edge) {
        request.edge.notes = notes;
        request.edge.body = body;
      }
      done(null, value);
    } catch (error) {
      if (!(error instanceof JsonFault)) return done(error as Error);
      const message = `The body ${error.message}.`;
      const fields = [{ field: 'body', message: error.message }];
      done(new ApiError(400, 'invalid_parameter', message, { fields }));
    }
  });
}
