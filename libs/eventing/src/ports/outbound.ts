/** What a webhook attempt brought back. */
export type OutboundAnswer =
  | {
      readonly ok: true;
      readonly status: number;
      readonly body: Buffer;
      readonly body_cut: boolean;
      readonly retry_after: string | null;
      readonly duration_ms: number;
    }
  | {
      readonly ok: false;
      readonly failure: OutboundFailure;
      readonly detail: string;
      readonly duration_ms: number;
    };

export type OutboundFailure =
  | 'destination_not_allowed'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'timed_out'
  | 'connection_closed'
  | 'bad_answer';

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** One deadline for names, connect, TLS, headers and body. */
  readonly timeout_ms: number;
  /** Bytes of the answer that are read before the connection is dropped. */
  readonly body_max: number;
}

/** HTTP to the world, behind the guard against requests into our own network. No redirects, no proxies. */
export interface Outbound {
  /** Null when the URL may be saved; else a sentence for its owner. Resolves names. */
  refusal(url: string): Promise<string | null>;
  post(request: OutboundRequest): Promise<OutboundAnswer>;
}
