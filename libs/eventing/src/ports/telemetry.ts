import type { CounterName, GaugeName, HistogramName, LabelsOf } from '../telemetry/instruments';

export interface Reading<Name extends GaugeName> {
  readonly value: number;
  readonly labels: LabelsOf<Name>;
}

type Readings<Name extends GaugeName> = readonly Reading<Name>[];

/**
 * Something that took time and belongs to a request. It is reported once it has ended, and lands in the trace that
 * its correlation id names: gateway, services, reactors and webhooks of one request are one trace, though
 * nothing but the correlation id is carried between them.
 */
export interface Span {
  readonly name: string;
  readonly kind: 'server' | 'consumer' | 'client' | 'internal';
  /** Null: a trace of its own. */
  readonly correlation_id: string | null;
  /** The request that made the correlation id; everything else is below it. */
  readonly root?: boolean;
  /** `traceparent` of a caller that has a trace of its own: linked, not joined. */
  readonly linked?: string | undefined;
  /** `Telemetry.ticks` at its beginning; it ends now. */
  readonly began: number;
  readonly failed: boolean;
  /** Never a secret, a body, an e-mail or the id of a person. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** What the program tells of itself. It never throws, and nothing waits for it. */
export interface Telemetry {
  /** False: nothing listens, and code that would have to work for a figure need not. */
  readonly on: boolean;
  /** Milliseconds on a clock that never goes back; 0 when off. */
  ticks(): number;
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** `duration_ms` is shown in seconds. */
  time<Name extends HistogramName>(name: Name, duration_ms: number, labels: LabelsOf<Name>): void;
  /** Asked at each scrape, within a second; several may tell of one gauge. The answer ends it. */
  watch<Name extends GaugeName>(
    name: Name,
    read: () => Readings<Name> | Promise<Readings<Name>>,
  ): () => void;
  span(span: Span): void;
}

const nothing = (): void => undefined;

/** Nothing listens. */
export const noTelemetry: Telemetry = {
  on: false,
  ticks: () => 0,
  count: nothing,
  time: nothing,
  watch: () => nothing,
  span: nothing,
};
