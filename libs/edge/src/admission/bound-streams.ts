import { answerOfApiError, answerOfStatus, ApiError, type ErrorAnswer } from '@tender/http';
import type { FastifyInstance } from 'fastify';
import { sendError } from '../answering/answer-headers';
import type { ClientAddresses } from './client-address';
import { Places, type Share } from './places';

const RETRY_SECONDS = 15;

/**
 * Lets each address have so many event streams open, and the process so many of all: a stream holds no place among
 * requests once it has begun, and without a bound one client could hold the memory of all.
 */
export function boundStreams(
  fastify: FastifyInstance,
  share: Share,
  addressOf: ClientAddresses,
): void {
  const places = new Places(share);

  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.edge?.route.stream) return done();
    const { counted } = addressOf(request.raw);
    if (!places.take(counted)) {
      const refusal = places.isFullFor(counted) ? tooManyStreams(share) : answerOfStatus(503);
      return sendError(reply, refusal);
    }
    reply.raw.once('close', () => places.leave(counted));
    done();
  });
}

const tooManyStreams = ({ per_address }: Share): ErrorAnswer =>
  answerOfApiError(
    new ApiError(
      429,
      'too_many_streams',
      `This address has ${per_address} event streams open, as many as it may. Close one, or ask for the status now and then.`,
      { streams_max: per_address },
      { 'Retry-After': String(RETRY_SECONDS) },
    ),
  );
