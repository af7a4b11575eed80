import type { Mode } from '@tender/kernel';

/** What the gateway tells a service of an admitted request; between processes a signed header (settled 18). */
export interface RequestContext {
  /** Empty on public routes. */
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly merchant_name: string;
  readonly wallet: string | null;
  /** USD cents. */
  readonly amount_max: number;
  /** `key:<id>`, `admin`, `public`. */
  readonly actor: string;
  readonly key_id: string | null;
  /** Derived from the Idempotency-Key where there is one, random otherwise. */
  readonly command_id: string;
  /** 16 bytes, hex: what ids of new objects derive from (settled 5). */
  readonly id_seed: string;
  readonly body_hash: string;
  readonly correlation_id: string;
  /** Newest log position per context that this merchant must see (settled 22). */
  readonly min_position: string | null;
}
