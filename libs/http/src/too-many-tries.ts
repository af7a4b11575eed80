import type { TooMany } from '@tender/eventing';
import { ApiError } from './api-error';

/** 429 of codes that are asked for or typed in too often. `what`: a sentence. */
export function tooManyTries(what: string, { wait_ms }: Pick<TooMany, 'wait_ms'>): ApiError {
  const seconds = Math.max(1, Math.ceil(wait_ms / 1000));
  const message = `${what} Try again in ${seconds} s.`;
  return new ApiError(429, 'rate_limit_exceeded', message, {}, { 'Retry-After': String(seconds) });
}
