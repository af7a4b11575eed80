/** A request between two processes of the program, as the seal covers it. */
export interface SealedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly body: Buffer | null;
}

/**
 * What one process tells another of a request, so that no stranger can say it (ADR 0011). The seal covers
 * method, URL, body and statement, and holds for half a minute, give or take what two clocks may differ.
 */
export interface InternalSeal {
  /** The text of the header `INTERNAL_HEADER`. `said` is kept as JSON. */
  seal(request: SealedRequest, said: object): string;
  /** What was said; null when the header is missing, too old, or not of this very request. */
  open(request: SealedRequest, header: string | undefined): unknown;
}

export const INTERNAL_HEADER = 'x-tender-internal';

/** Where a process answers the questions of others: this, and the question's name. */
export const CALLS_PATH = '/internal/calls/';
/** Behind that: several questions of one name, in a list. Each has `[output]` in the answer, or null. */
export const EACH = '/each';

/** The status of a replica that only stands by: the next one is asked. */
export const STANDS_BY = 421;
