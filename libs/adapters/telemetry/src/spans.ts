import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
  type IdGenerator,
} from '@opentelemetry/sdk-trace';
import type { Span } from '@tender/eventing';
import { placeIn, placeOf, type Place } from './trace-ids';

const KINDS: Readonly<Record<Span['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};
const SEND_EVERY_MS = 1_000;
const EXPORT_TIMEOUT_MS = 2_000;
/** Spans that wait to be sent; more are dropped, and the log says so. */
const QUEUE_MAX = 8_192;

export interface SpanSink {
  add(span: Span): void;
  close(): Promise<void>;
}

/** Sends spans to `<endpoint>/v1/traces` (OTLP over HTTP, JSON), in batches, and never waits for it. */
export function spanSink(endpoint: string, resource: Resource): SpanSink {
  const ids = new GivenIds();
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: QUEUE_MAX,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource,
    idGenerator: ids,
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('tender');

  return {
    add({ name, kind, correlation_id, root = false, linked, began, failed, attributes }) {
      const ended = Date.now();
      const place = correlation_id === null ? null : placeOf(correlation_id);
      const link = linked === undefined ? null : placeIn(linked);
      ids.next = root ? place : null;
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          startTime: ended - (performance.now() - began),
          attributes:
            correlation_id === null
              ? attributes
              : { ...attributes, 'tender.correlation_id': correlation_id },
          ...(link ? { links: [{ context: { ...link, traceFlags: TraceFlags.SAMPLED } }] } : {}),
        },
        place && !root ? below(place) : ROOT_CONTEXT,
      );
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(ended);
    },
    close: () => provider.shutdown(),
  };
}

const below = (place: Place) =>
  trace.setSpanContext(ROOT_CONTEXT, {
    ...place,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });

/** Random ids, except for the one span of a trace whose place is known beforehand. */
class GivenIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  next: Place | null = null;

  generateTraceId = (): string => this.next?.traceId ?? this.random.generateTraceId();
  generateSpanId = (): string => this.next?.spanId ?? this.random.generateSpanId();
}
