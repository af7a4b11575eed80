import type { Telemetry } from '@tender/eventing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { correlationIdIn } from '../admission/read-headers';
import { onceAnswered } from './once-answered';

/**
 * Tells of every request once its connection has let it go, answered or not, and of a stream once it has begun. No
 * hook at all when telemetry is off.
 */
export function measureAnswers(fastify: FastifyInstance, telemetry: Telemetry): void {
  if (!telemetry.on) return;
  let in_flight = 0;
  telemetry.watch('tender_http_requests_in_flight', () => [{ value: in_flight, labels: {} }]);
  fastify.addHook('onRequest', (request, reply, done) => {
    const began = telemetry.ticks();
    in_flight += 1;
    onceAnswered(reply, (how) => {
      in_flight -= 1;
      tell(telemetry, began, request, reply, how === 'closed' && !reply.raw.writableEnded);
    });
    done();
  });
}

function tell(
  telemetry: Telemetry,
  began: number,
  request: FastifyRequest,
  reply: FastifyReply,
  aborted: boolean,
): void {
  const { edge } = request;
  const route = edge?.edge_route?.route;
  const path = route?.path ?? 'none';
  const method = route?.method ?? 'none';
  const status = aborted ? 'aborted' : `${Math.floor(reply.statusCode / 100)}xx`;
  const labels = { route: path, method, status };
  telemetry.time('tender_http_request_seconds', telemetry.ticks() - began, labels);
  if (reply.hasHeader('Idempotency-Replayed')) {
    telemetry.count('tender_idempotency_replays_total', { route: path });
  }
  if (!edge) return;
  const { headers } = request.raw;
  telemetry.span({
    name: `${method} ${path}`,
    kind: 'server',
    correlation_id: edge.correlation_id,
    // An id that the client brought may come again: its spans have the same place, none of them the first.
    root: correlationIdIn(headers) === null,
    linked: typeof headers.traceparent === 'string' ? headers.traceparent : undefined,
    began,
    failed: aborted || reply.statusCode >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': path,
      'http.response.status_code': reply.statusCode,
      'tender.mode': edge.mode,
      'tender.outcome': status,
    },
  });
}
