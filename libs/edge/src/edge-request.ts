import type { Mode } from '@tender/kernel';
import type { Identity } from './admission/credentials';
import type { ClientAddress } from './admission/client-address';
import type { EdgeHeaders } from './admission/read-headers';
import type { Claim } from './idempotency/idempotency';
import type { Verdict } from './limits/limiter';
import type { Note, RouteReader } from '@tender/http';

/** What the gateway knows of one request, from its first hook to its last. */
export interface EdgeRequest {
  readonly edge_route: RouteReader | null;
  readonly headers: EdgeHeaders;
  readonly correlation_id: string;
  readonly client: ClientAddress;
  identity: Identity;
  mode: Mode;
  /** Of its limit; null before it was asked. */
  verdict: Verdict | null;
  notes: readonly Note[];
  /** The body as it came, for the service that it is for. */
  body: Buffer | null;
  claim: Claim | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    edge: EdgeRequest | null;
  }
  interface FastifyContextConfig {
    edge?: RouteReader;
    /** Another process answers it. */
    forwarded?: true;
  }
}
