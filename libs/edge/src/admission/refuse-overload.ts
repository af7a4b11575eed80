import { readHealth, readReadiness, type Route } from '@tender/contracts';
import { answerOfStatus } from '@tender/http';
import type { FastifyInstance } from 'fastify';
import { sendError } from '../answering/answer-headers';
import { onceAnswered } from '../answering/once-answered';
import type { ConnectionGuard } from '../connections/guard-connections';
import type { ClientAddresses } from './client-address';
import { Places, type Share } from './places';

/** Requests let in at once, by what they are for: none of these can take the places of another. */
export interface Shares {
  readonly api: Share;
  /** The descriptions and the reference. */
  readonly pages: Share;
  /** Health and readiness: a program whose probes are not answered is ended. */
  readonly probes: Share;
  /** Event streams for as long as they are open, beside the place of their request until they begin. */
  readonly streams: Share;
}

/**
 * Lets in as many requests at once as the shares have places and refuses the next one before anything else is done for
 * it: 503 with `Retry-After`. What is let in waits a bounded time, and what waits takes bounded memory. A stream has
 * its place until it has begun. Before places run out, those go that an address keeps by reading no answers.
 */
export function refuseOverload(
  fastify: FastifyInstance,
  shares: Shares,
  addressOf: ClientAddresses,
  guard: ConnectionGuard,
): void {
  const api = new Places(shares.api);
  const pages = new Places(shares.pages);
  const probes = new Places(shares.probes);

  fastify.addHook('onRequest', (request, reply, done) => {
    const places = placesFor(request.routeOptions.config.edge?.route);
    if (places.are_scarce) guard.endUnread(places.unread_max);
    // Its connection has been ended, while it was read or now: no client waits for the answer.
    if (request.raw.socket.destroyed) return;
    const { counted } = addressOf(request.raw);
    if (!places.take(counted)) return sendError(reply, answerOfStatus(503));
    onceAnswered(reply, () => places.leave(counted));
    done();
  });

  function placesFor(route: Route | undefined): Places {
    if (route?.auth !== 'open') return api;
    return route === readHealth || route === readReadiness ? probes : pages;
  }
}
