import type { Server } from 'node:http';
import type { RequestContext, Route } from '@tender/contracts';
import {
  CALLS_PATH,
  EACH,
  INTERNAL_HEADER,
  NotThisOne,
  STANDS_BY,
  Unavailable,
  type Asked,
  type Delays,
  type InternalSeal,
  type Log,
  type Telemetry,
} from '@tender/eventing';
import type {
  FastifyHttpOptions,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify';
import { ApiError } from '../api-error';
import { answerOfRequest, bodyOfError } from '../error-answer';
import { parseJson, type ParsedJson } from '../reading/parse-json';
import { readBody, readQuery, routeReader, type RouteReader } from '../reading/route-reader';
import { routerPath } from '../serves';
import { openStreams } from './open-streams';

export interface ServiceOptions {
  /** What the gateway may forward; everything else is 404. */
  readonly routes: readonly Route[];
  readonly seal: InternalSeal;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly delays: Delays;
  /** Answers a question of another process, by the question's name. */
  readonly answerCall: (name: string, input: unknown, asked: Asked) => Promise<unknown>;
  /** Only the replica that leads can answer this one, and this is another. */
  readonly standsBy: (name: string) => boolean;
  /** Whether requests are served. */
  readonly ready: () => Promise<boolean>;
}

/** The gateway lets 64 KiB in; questions between services may be larger, and end sooner. */
const BODY_BYTES_MAX = 256 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** A client’s path and query as the gateway lets them in, and the context that it seals beside them. */
const HEADER_BYTES_MAX = 64 * 1024;

/** How the server must be made. The gateway holds clients to less; these bounds are for strangers. */
export const serviceServerOptions = (): FastifyHttpOptions<Server> => ({
  bodyLimit: BODY_BYTES_MAX,
  requestTimeout: REQUEST_TIMEOUT_MS,
  http: { maxHeaderSize: HEADER_BYTES_MAX, requestTimeout: REQUEST_TIMEOUT_MS },
  logger: false,
  return503OnClosing: false,
  exposeHeadRoutes: false,
  routerOptions: { maxParamLength: 200, querystringParser: () => ({}) },
});

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Puts the inside of the program in front of everything that is later registered on this server: only a caller
 * with the internal secret is heard, and a request comes with the context that the gateway sealed (ADR 0011).
 * The body is read again from the bytes that the client sent.
 */
export function mountService(fastify: FastifyInstance, options: ServiceOptions): void {
  const { seal, log, telemetry } = options;
  const readers = new Map<string, RouteReader>(
    options.routes.map((route) => [
      `${route.method} ${routerPath(route.path)}`,
      routeReader(route),
    ]),
  );
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_, body, done) =>
    done(null, body),
  );
  // Before a byte of the body is read.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.headers[INTERNAL_HEADER] === undefined && !PROBES.has(request.raw.url ?? '')) {
      sendError(request, reply, stranger());
    } else done();
  });
  fastify.addHook('onRoute', mountRoute);
  const streams = openStreams(fastify, options.delays);
  fastify.get('/healthz', () => ({ status: 'ok' }));
  fastify.get('/readyz', async (request, reply) => {
    if (await options.ready()) return { status: 'ok' };
    return sendError(request, reply, new Unavailable('the service'));
  });
  answerOn<Asked>('', (name, input, asked) => options.answerCall(name, input, asked));
  answerOn<{ readonly asked: readonly Asked[] }>(EACH, (name, inputs, { asked }) =>
    Promise.all(
      (inputs as readonly unknown[]).map((input, index) =>
        options.answerCall(name, input, asked[index] as Asked).then(
          (output) => [output ?? null],
          // It is asked again by itself, and is answered with why.
          () => null,
        ),
      ),
    ),
  );

  function answerOn<Said extends object>(
    place: string,
    answer: (name: string, input: unknown, said: Said) => Promise<unknown>,
  ): void {
    const path = `${CALLS_PATH}:name${place}`;
    fastify.post<{ Params: { name: string } }>(path, async (request, reply) => {
      try {
        const { call, ...said } = opened(request) as Said & { readonly call?: string };
        const { name } = request.params;
        if (call !== name) throw stranger();
        if (options.standsBy(name)) return reply.status(STANDS_BY).send();
        const input: unknown = JSON.parse((request.body as Buffer).toString('utf8'));
        return reply.send(JSON.stringify((await answer(name, input, said as Said)) ?? null));
      } catch (error) {
        // Of 503 the asking process would think that another replica can.
        if (!(error instanceof NotThisOne)) return sendError(request, reply, error);
        log.warn({ call: request.params.name, err: error }, 'a question cannot be answered now');
        return reply.status(500).send();
      }
    });
  }

  function mountRoute(registered: RouteOptions): void {
    const [method = 'GET'] = [registered.method].flat();
    const reader = readers.get(`${method} ${registered.url}`);
    if (!reader) return;
    const read = (
      request: FastifyRequest,
      _: FastifyReply,
      done: (error?: Error) => void,
    ): void => {
      try {
        request.tender = opened(request) as RequestContext;
        request.query = readQuery(request.raw.url as string, reader);
        const { value, notes } = parsed(request.body);
        request.body = readBody(value, notes, reader).value;
        done();
      } catch (error) {
        done(error as Error);
      }
    };
    // In the trace of the gateway's own request: both know its correlation id.
    const measured = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      telemetry.span({
        name: `serve ${reader.route.id}`,
        kind: 'internal',
        correlation_id: request.tender?.correlation_id ?? null,
        began: telemetry.ticks() - reply.elapsedTime,
        failed: reply.statusCode >= 500,
        attributes: { 'http.route': reader.route.path, 'http.response.status_code': reply.statusCode },
      });
      done();
    };
    if (telemetry.on) registered.onResponse = [measured, ...[registered.onResponse ?? []].flat()];
    if (reader.route.stream) {
      registered.onSend = [...[registered.onSend ?? []].flat(), streams.own];
    }
    registered.preValidation = [read, ...[registered.preValidation ?? []].flat()];
    registered.errorHandler = (error, request, reply) => void sendError(request, reply, error);
  }

  function opened({ raw, headers, body }: FastifyRequest): unknown {
    const bytes = Buffer.isBuffer(body) && body.length > 0 ? body : null;
    const request = { method: raw.method as string, url: raw.url as string, body: bytes };
    const header = headers[INTERNAL_HEADER];
    const said = seal.open(request, typeof header === 'string' ? header : undefined);
    if (said === null) throw stranger();
    return said;
  }

  function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    const { raw, tender } = request;
    const correlation_id = tender?.correlation_id ?? null;
    const answer = answerOfRequest(error, raw, log, correlation_id);
    const body = bodyOfError(answer, correlation_id);
    return reply.status(answer.status).headers(answer.headers).send(body);
  }
}

const parsed = (body: unknown): ParsedJson =>
  Buffer.isBuffer(body) && body.length > 0 ? parseJson(body) : { value: undefined, notes: [] };

const stranger = (): ApiError =>
  new ApiError(401, 'authentication_failed', 'This address serves the program’s own processes alone.');
