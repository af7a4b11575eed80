import { hash } from 'node:crypto';
import type { SpanContext } from '@opentelemetry/api';

/** A place in a trace: its id and the id of a span. */
export type Place = Pick<SpanContext, 'traceId' | 'spanId'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
const NOTHING = /^0+$/;

/**
 * The place of a correlation id: the trace is the UUID without its dashes, so that an operator who has a
 * correlation id can look up the trace; the request's own span is its second half. Every process comes to the
 * same answer, and nothing has to travel with an event.
 */
export function placeOf(correlation_id: string): Place {
  const plain = UUID.test(correlation_id) ? correlation_id.replaceAll('-', '').toLowerCase() : '';
  const spanId = plain.slice(16);
  if (plain !== '' && !NOTHING.test(spanId)) return { traceId: plain, spanId };
  const hashed = hash('sha256', correlation_id);
  return { traceId: hashed.slice(0, 32), spanId: hashed.slice(32, 48) };
}

/** Of a W3C Trace Context; null when it is none. */
export function placeIn(traceparent: string): Place | null {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent) ?? [];
  if (!traceId || !spanId || NOTHING.test(traceId) || NOTHING.test(spanId)) return null;
  return { traceId, spanId };
}
