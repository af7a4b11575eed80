import { answerOfStatus } from '@tender/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendError } from '../answering/answer-headers';
import { onceAnswered } from '../answering/once-answered';

/**
 * Lets in `requests_max` requests at once and refuses the next one before anything else is done for it: 503
 * with `Retry-After`. What is let in waits a bounded time, and what waits takes bounded memory. Pages that are
 * open to all, health among them, are always answered. A stream has its place until it has begun.
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
    onceAnswered(reply, leave);
    done();
  });
}

const isOpen = (request: FastifyRequest): boolean =>
  request.routeOptions.config.edge?.route.auth === 'open';
