import type { IncomingMessage } from 'node:http';
import type { Route } from '@tender/contracts';
import { answerOfStatus, ApiError, invalidParameter, notFound } from '@tender/http';
import type { FastifyRequest } from 'fastify';

export const pathOf = (url: string): string => {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
};

/** Line breaks and NUL, percent-encoded: meant for a log, a header or a C string, never for us. */
const BREAKS = /%0[0ad]/i;

/** 400 for paths that try to be more than a path. */
export function refuseUnreadablePath(url: string): void {
  if (!url.includes('%')) return;
  if (BREAKS.test(pathOf(url))) {
    throw invalidParameter({ field: 'path', message: 'must not hold line breaks or NUL' });
  }
}

/** What an id of ours may look like; anything else names no object. */
const ID = /^[\w.~-]{1,100}$/;

/** 404 when a path parameter cannot be an id. */
export function refuseStrangeIds(request: FastifyRequest): void {
  for (const value of Object.values((request.params ?? {}) as Record<string, string>)) {
    if (!ID.test(value)) throw notFound();
  }
}

/** 400 without `Host`, which HTTP/1.1 asks for; 417 for an `Expect` that we do not know. */
export function refuseOddHead({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw invalidParameter({ field: 'Host', message: 'is a header that every request must have' });
  }
  const { expect } = headers;
  if (expect === undefined || expect.toLowerCase() === '100-continue') return;
  const { body } = answerOfStatus(417);
  // A body may follow or not: the connection cannot be used again.
  throw new ApiError(417, body.code, body.error, {}, { Connection: 'close' });
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';
const typeIn = (type: string): RegExp =>
  new RegExp(`^${type}\\s*(?:;\\s*charset\\s*=\\s*"?utf-8"?\\s*)?$`, 'i');
const [JSON_BODY, FORM_BODY] = [typeIn('application/json'), typeIn(FORM_TYPE)];

/** 415 for a body that is not JSON, or on a form's route no form, in UTF-8, or that would have to be unpacked first. */
export function refuseUnreadableBody(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { form }: Pick<Route, 'form'>,
): void {
  const length = headers['content-length'];
  const is_empty =
    headers['transfer-encoding'] === undefined && (length === undefined || length === '0');
  if (is_empty) return;
  const encoding = headers['content-encoding'];
  const is_plain = encoding === undefined || encoding.toLowerCase() === 'identity';
  if (is_plain && (form ? FORM_BODY : JSON_BODY).test(headers['content-type'] ?? '')) return;
  const { body } = answerOfStatus(415);
  const message = form ? `The body must be a form. Send Content-Type: ${FORM_TYPE}.` : body.error;
  // The body is not read, so the connection cannot be used again.
  throw new ApiError(415, body.code, message, {}, { Connection: 'close' });
}
