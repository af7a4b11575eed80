import { bodyOfError, type ErrorAnswer } from '@tender/http';
import type { Mode } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import type { Verdict } from '../limits/limiter';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * On every answer (S17). None lets the scripts of other origins read it: merchants' servers call this, browsers do not
 * (S18). `approval-origin.ts` has the one exception.
 */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
} as const;

/** Specification, Limits: on every response, refusals included. */
export const limitHeaders = ({ limit, remaining, reset }: Verdict) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(reset),
});

export const identityHeaders = (correlation_id: string, mode: Mode) => ({
  'X-Correlation-Id': correlation_id,
  'X-Svc-Mode': mode,
});

/** Sends an error in the one shape that errors have (specification §1.1). */
export function sendError(reply: FastifyReply, answer: ErrorAnswer): void {
  const { status, headers } = answer;
  nameStranger(reply);
  const correlation_id = String(reply.getHeader('X-Correlation-Id'));
  void reply
    .status(status)
    .headers({ ...headers, 'Content-Type': JSON_TYPE })
    .send(JSON.stringify(bodyOfError(answer, correlation_id)));
}

/** What is answered before the gateway's own hook, by the router or Nest's target check, has no headers of ours yet. */
export function nameStranger(reply: FastifyReply): void {
  if (reply.hasHeader('X-Correlation-Id')) return;
  void reply.headers(reply.server.strangerHeaders(reply.request.raw));
}

/** Names of body fields that no class reads, safe for a header (specification §1.5). */
export function ignoredFieldsHeader(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => encodeURIComponent(name).slice(0, 60));
  return names.length > shown.length ? `${shown.join(', ')}, …`.replace('…', '...') : shown.join(', ');
}
