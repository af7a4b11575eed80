import type { Readable } from 'node:stream';
import type { RequestContext, Route } from '@tender/contracts';
import { answerOf, routerPath } from '@tender/http';
import type { Log } from '@tender/eventing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from '../answering/answer-headers';
import type { EdgeRequest } from '../edge-request';

/** A request as a service gets it; the context is sealed on the way. */
export interface Forwarded {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly url: string;
  readonly body: Buffer | null;
  readonly said: RequestContext;
  /** The answer may go on for as long as the client listens. */
  readonly stream: boolean;
}

export interface ServiceReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** In place of the body: as it comes. */
  readonly stream: Readable | null;
}

export interface ForwardOptions {
  readonly routes: readonly Route[];
  /** Contexts whose routes this process serves itself. */
  readonly own: ReadonlySet<string>;
  /** Sends it to the service of that context. Throws `Unavailable`. */
  readonly forward: (context: string, request: Forwarded) => Promise<ServiceReply>;
  readonly log: Log;
}

/** Of the connection between two processes, or made by the gateway itself. */
const NOT_PASSED_ON = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']);

/**
 * Serves every route of the table whose context is elsewhere by asking the service there. Register
 * it behind `mountEdge`: what comes here was admitted, validated and has its context.
 */
export function forwardRoutes(fastify: FastifyInstance, options: ForwardOptions): void {
  const { own, forward, log } = options;
  for (const route of options.routes) {
    if (own.has(route.context)) continue;
    const { method, context, stream = false } = route;
    fastify.route({
      method,
      url: routerPath(route.path),
      config: { forwarded: true },
      async handler(request: FastifyRequest, reply: FastifyReply) {
        const edge = request.edge as EdgeRequest;
        try {
          const url = request.raw.url as string;
          const { tender: said } = request;
          const answer = await forward(context, { method, url, body: edge.body, said, stream });
          for (const [name, value] of Object.entries(answer.headers)) {
            if (!NOT_PASSED_ON.has(name)) void reply.header(name, value);
          }
          return reply.status(answer.status).send(answer.stream ?? answer.body);
        } catch (error) {
          sendError(reply, answerOf(error, log, edge.correlation_id));
          return reply;
        }
      },
    });
  }
}
