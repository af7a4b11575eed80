import type { IncomingMessage } from 'node:http';
import { HttpException } from '@nestjs/common';
import { ERROR_CODES, type ErrorCode } from '@tender/contracts';
import { Unavailable, type Log } from '@tender/eventing';
import { InvariantViolation } from '@tender/kernel';
import { ApiError } from './api-error';

/** What the client gets: specification §1.1. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<{
    error: string;
    code: string;
    details: Readonly<Record<string, unknown>>;
    retry_after?: number;
  }>;
}

/** Seconds: long enough for a restart, short enough for a person. */
const RETRY_AFTER_UNAVAILABLE = '2';

/** The codes of answers that a framework decides on: unknown routes, bodies that it refused to read. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_parameter',
  401: 'authentication_failed',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  429: 'rate_limit_exceeded',
  431: 'headers_too_large',
  503: 'service_unavailable',
};

const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_found: 'There is no such resource.',
  invalid_parameter: 'The request could not be read.',
  payload_too_large: 'The body is larger than 64 KiB. Send less.',
  unsupported_media_type:
    'The body must be JSON. Send Content-Type: application/json (UTF-8) and no Content-Encoding.',
  service_unavailable: 'The service cannot answer right now. Try again in a moment.',
};

const INTERNAL: ErrorAnswer = {
  status: 500,
  headers: {},
  body: {
    error: 'Something went wrong on our side. Quote the correlation_id when you ask us about it.',
    code: 'internal_error',
    details: {},
  },
};

/** An error with the id by which it is found in our logs, as every client gets it. */
export const bodyOfError = ({ body }: ErrorAnswer, correlation_id: string | null): object =>
  correlation_id === null ? body : { ...body, correlation_id };

export function answerOfApiError(error: ApiError): ErrorAnswer {
  const { status, code, message, details, headers } = error;
  const retry_after = status === 429 ? Number(headers['Retry-After'] ?? 1) : undefined;
  const body = { error: message, code, details };
  return { status, headers, body: retry_after === undefined ? body : { ...body, retry_after } };
}

/**
 * Every error that can reach a client, as the one shape it may have. What is not meant for clients
 * becomes `internal_error` and a log line; nothing of it leaks (S60).
 */
export function answerOf(error: unknown, log: Log, correlation_id: string | null): ErrorAnswer {
  if (error instanceof ApiError) return answerOfApiError(error);
  if (error instanceof Unavailable) {
    log.warn({ correlation_id, part: error.part }, 'a part is unavailable');
    return answerOfStatus(503);
  }
  const status = statusOf(error);
  if (status !== null && CODE_OF_STATUS[status]) return answerOfStatus(status);
  log.error({ correlation_id, ...describe(error) }, 'an answer failed');
  return INTERNAL;
}

/** The answer to what failed before a handler began: that a client went away is no fault of ours. */
export function answerOfRequest(
  error: unknown,
  { complete, destroyed }: Pick<IncomingMessage, 'complete' | 'destroyed'>,
  log: Log,
  correlation_id: string | null,
): ErrorAnswer {
  const has_left = destroyed && !complete;
  if (!has_left) return answerOf(error, log, correlation_id);
  log.info({ correlation_id }, 'a client left before its request was whole');
  return answerOfStatus(400);
}

/** The plain answer of a status that needs no details. */
export function answerOfStatus(status: number): ErrorAnswer {
  const code = CODE_OF_STATUS[status];
  if (!code) return INTERNAL;
  return {
    status,
    headers: status === 503 ? { 'Retry-After': RETRY_AFTER_UNAVAILABLE } : {},
    body: { error: SENTENCES[code] ?? ERROR_CODES[code][1], code, details: {} },
  };
}

/** The status of a framework's own error: Nest's exceptions, Fastify's `FST_ERR_…`. */
function statusOf(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus();
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const is_frameworks = typeof code === 'string' && code.startsWith('FST_');
  return is_frameworks && typeof statusCode === 'number' ? statusCode : null;
}

/** Where it happened, without values: a message may quote a body, a query or a row. */
function describe(error: unknown): { readonly fault: string; readonly at: readonly string[] } {
  if (!(error instanceof Error)) return { fault: typeof error, at: [] };
  const at = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .map((line) => line.trim());
  const { code } = error as { code?: unknown };
  const fault = typeof code === 'string' ? `${error.name} ${code}` : error.name;
  // A broken invariant quotes nothing but the rule that we wrote down.
  return { fault: error instanceof InvariantViolation ? error.message : fault, at };
}
