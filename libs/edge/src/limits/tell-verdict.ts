import type { Telemetry } from '@tender/eventing';
import { ApiError } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { limitHeaders } from '../answering/answer-headers';
import type { EdgeRequest } from '../edge-request';
import type { Verdict } from './limiter';

/** `way_out` follows the seconds: what the client itself can do about the limit. */
export const rateLimitExceeded = ({ limit, retry_after }: Verdict, way_out = ''): ApiError =>
  new ApiError(
    429,
    'rate_limit_exceeded',
    `The limit of ${limit} requests is used up. Try again in ${retry_after} s${way_out}.`,
    {},
    { 'Retry-After': String(retry_after) },
  );

/** One decision of a limit, for those who watch. */
export function countDecision(telemetry: Telemetry, category: string, { admitted }: Verdict): void {
  const decision = admitted ? 'admitted' : 'refused';
  telemetry.count('tender_rate_limit_decisions_total', { category, decision });
}

/** Tells the caller in headers what its limit says; throws where that refuses. */
export function tellVerdict(
  edge: EdgeRequest,
  reply: FastifyReply,
  verdict: Verdict,
  way_out: string | undefined,
): void {
  edge.verdict = verdict;
  void reply.headers(limitHeaders(verdict));
  if (!verdict.admitted) throw rateLimitExceeded(verdict, way_out);
}
