import type { Mode } from '@tender/kernel';

/** Who asks. */
export type Actor =
  | { readonly kind: 'key'; readonly key_id: string }
  | { readonly kind: 'session'; readonly session_id: string }
  /** Who has opened a set-up link; `token_hash`: SHA-256 of its token, hex. */
  | { readonly kind: 'setup'; readonly token_hash: string }
  /** `reason`: of the request's body, where it has one. */
  | { readonly kind: 'admin'; readonly reason: string | null }
  | { readonly kind: 'public' };

/**
 * As events keep it: `key:<id>`, `session:<id>`, `setup`, `admin`, `public`. The reason of an admin is data of its
 * event.
 */
export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'key':
      return `key:${actor.key_id}`;
    case 'session':
      return `session:${actor.session_id}`;
    default:
      return actor.kind;
  }
}

/** What the gateway tells a service of an admitted request; between processes a signed header (ADR 0011). */
export interface RequestContext {
  /** Empty where the caller is no merchant. */
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly merchant_name: string;
  readonly wallet: string | null;
  /** USD cents. */
  readonly amount_max: number;
  /** Who asks, as events keep it (`actorText`). */
  readonly actor: string;
  readonly asker: Actor;
  /** Of the client, as limits and quotas count it: an IP address. Empty where another context asks in its place. */
  readonly client_address: string;
  /** Derived from the Idempotency-Key where there is one, random otherwise. */
  readonly command_id: string;
  /** 16 bytes, hex: what ids of new objects derive from (ADR 0003). */
  readonly id_seed: string;
  readonly body_hash: string;
  readonly correlation_id: string;
  /** Newest log position per context that this merchant must see (P4). */
  readonly min_position: string | null;
  /** Of a client that has listened to this stream before: the last event that reached it. */
  readonly last_event_id?: string;
}
