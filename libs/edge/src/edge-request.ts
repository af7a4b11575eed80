import type { BodyClass, Route } from '@tender/contracts';
import type { Mode } from '@tender/kernel';
import type { Identity } from './admission/credentials';
import type { EdgeHeaders } from './admission/read-headers';
import type { Claim } from './idempotency/idempotency';
import { RequestReader, type Note } from '@tender/http';

/** A route with its readers, compiled once at start. */
export interface EdgeRoute {
  readonly route: Route;
  readonly body: RequestReader | null;
  readonly query: RequestReader | null;
}

export function edgeRouteOf(route: Route): EdgeRoute {
  const readerOf = (type: BodyClass | undefined) => (type ? new RequestReader(type) : null);
  return { route, body: readerOf(route.body), query: readerOf(route.query) };
}

/** What the gateway knows of one request, from its first hook to its last. */
export interface EdgeRequest {
  readonly edge_route: EdgeRoute | null;
  readonly headers: EdgeHeaders;
  readonly correlation_id: string;
  identity: Identity;
  mode: Mode;
  notes: readonly Note[];
  claim: Claim | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    edge: EdgeRequest | null;
  }
  interface FastifyContextConfig {
    edge?: EdgeRoute;
  }
}
