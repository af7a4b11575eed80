import { answerOfStatus } from '@tender/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendError } from '../answering/answer-headers';

/**
 * Lets in `requests_max` requests at once and refuses the next one before anything else is done for it: 503
 * with `Retry-After`. What is let in waits a bounded time, and what waits takes bounded memory. Pages that are
 * open to everybody, health among them, are always answered.
 */
export function refuseOverload(fastify: FastifyInstance, requests_max: number): void {
  let in_flight = 0;
  const leave = (): void => {
    in_flight -= 1;
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    if (in_flight >= requests_max && !isOpen(request)) {
      return sendError(reply, answerOfStatus(503));
    }
    in_flight += 1;
    // Comes once, whether the request was answered or its connection broke.
    reply.raw.once('close', leave);
    done();
  });
}

const isOpen = (request: FastifyRequest): boolean =>
  request.routeOptions.config.edge?.route.auth === 'open';
