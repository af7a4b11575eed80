/** `customer` is a payment by a customer who was not seen before. */
export type OrderKind = 'payment' | 'customer' | 'invoice';

/** What a request carries: the same bytes for both sides of a comparison. */
export interface RequestSpec {
  readonly method: 'GET' | 'POST';
  /** Taken in turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** A new order each time, with an Idempotency-Key of its own. */
  readonly body: 'none' | OrderKind;
  /** As a proxy forwards them: each from a client's address of its own. */
  readonly forwarded?: boolean;
}

export interface LoadSpec {
  readonly url: string;
  readonly request: RequestSpec;
  readonly connections: number;
  readonly warmup_ms: number;
  readonly timed_ms: number;
  /** Arrivals per second, whatever the answers do; without it every connection sends when it may. */
  readonly rate?: number;
  /** Of arrivals at a rate: only answers within the timed part count, as they do for circles. */
  readonly goodput?: boolean;
}

export interface LoadResult {
  /** 2xx answers per second, of those that came within the timed part. */
  readonly rps: number;
  /** ms; in an open loop from the time the request was due. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Timed answers. */
  readonly answers: number;
  /** All 2xx answers, warm-up included. */
  readonly accepted: number;
  /**
   * Answers that were not 2xx and requests that got none, by status or error code; a refusal that does not say
   * when to come again is `503 without Retry-After`.
   */
  readonly failures: Readonly<Record<string, number>>;
}
