/** Of these the time of each is kept. */
export const TIMED_EVENTS: readonly string[] = ['PaymentConfirmed', 'RefundCompleted'];

export interface Arrival {
  readonly event: string;
  /** Milliseconds since 1970, with parts of them. */
  readonly at_ms: number;
  readonly payment_id: string;
}

/** A request as it came, to check its signature. */
export interface Sample {
  readonly signature: string;
  readonly path: string;
  readonly body: string;
}

export interface Seen {
  readonly arrivals: readonly Arrival[];
  readonly samples: readonly Sample[];
  readonly answered: number;
  /** ms since 1970; NaN before anything has come. */
  readonly first_at_ms: number;
  readonly last_at_ms: number;
}

export type ToSink =
  /** From now on requests are taken and not answered. */
  | { readonly do: 'hold' }
  /** Answers what is held; tells when so many different deliveries were answered in all. */
  | { readonly do: 'await'; readonly count: number }
  | { readonly do: 'show' };

export interface Reached {
  readonly at_ms: number;
  readonly answered: number;
}
export type FromSink = { readonly result: Reached | Seen };
