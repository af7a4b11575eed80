import { errors } from 'undici';
import type { OutboundFailure } from '@tender/eventing';
import { NotConnected } from './pinned-connector';
import { TooManyInterim } from './read-answer';

/** The guard said no. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** No address is known for the name. */
export class NameNotResolved extends Error {
  override readonly name = 'NameNotResolved';
}

export interface Failure {
  readonly failure: OutboundFailure;
  /** A sentence for the owner of the URL. */
  readonly detail: string;
}

/** Sorts what may go wrong before the status line into the classes of the port. */
export function failureOf(error: unknown, deadline: AbortSignal): Failure {
  if (error instanceof Refused) return { failure: 'destination_not_allowed', detail: error.message };
  if (deadline.aborted) return { failure: 'timed_out', detail: 'No complete answer in time.' };
  if (error instanceof NameNotResolved) {
    return { failure: 'dns_failed', detail: 'The host name does not resolve.' };
  }
  if (error instanceof NotConnected) return { failure: error.failure, detail: sentenceOf(error) };
  if (error instanceof TooManyInterim) {
    return { failure: 'bad_answer', detail: 'Interim answers (1xx) came, and no final one.' };
  }
  return isBadAnswer(error)
    ? { failure: 'bad_answer', detail: 'The answer is not valid HTTP, or its headers are too large.' }
    : { failure: 'connection_closed', detail: 'The connection was closed before an answer.' };
}

const BAD_ANSWER = /^UND_ERR_(HEADERS_OVERFLOW|RES_|RESPONSE|NOT_SUPPORTED)/;

function isBadAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return error instanceof errors.HTTPParserError || BAD_ANSWER.test(code);
}

function sentenceOf({ failure, message }: NotConnected): string {
  if (failure === 'timed_out') return 'No connection in time.';
  if (failure === 'tls_failed') return `The TLS connection failed: ${message}.`;
  return `The connection failed: ${message}.`;
}
