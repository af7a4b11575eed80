import type { Dispatcher, Pool } from 'undici';
import { INTERNAL_HEADER, type InternalSeal } from '@tender/eventing';

export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly body: Buffer | null;
  /** Sealed and sent along. */
  readonly said: object;
  /** Milliseconds for the whole exchange, looking for a replica included. */
  readonly deadline_ms: number;
  /** Only the replica that leads can answer: the one that did so last is asked first. */
  readonly of_leader?: boolean;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const EMPTY = Buffer.alloc(0);
/** Nothing of the request has left: another replica may have it. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Without the streams of undici's `request`: an answer is small and wanted whole. Rejects at the deadline. */
export function exchange(
  pool: Pool,
  seal: InternalSeal,
  { method, url, body, said, deadline_ms }: ServiceRequest,
): Promise<ServiceAnswer> {
  const began = performance.now();
  const options: Dispatcher.DispatchOptions = {
    method: method as 'GET',
    path: url,
    headers: {
      [INTERNAL_HEADER]: seal.seal({ method, url, body }, said),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    body,
    headersTimeout: deadline_ms,
    bodyTimeout: deadline_ms,
  };
  return new Promise((resolve, reject) => {
    let running: Dispatcher.DispatchController | null = null;
    // Also for what waits for a connection: nobody is there for its answer any more.
    const late = setTimeout(() => {
      const error = new Error(`no answer in ${Math.round(deadline_ms)} ms`);
      running?.abort(error);
      reject(error);
    }, deadline_ms);
    let status = 0;
    let headers: Record<string, string> = {};
    const chunks: Buffer[] = [];
    pool.dispatch(options, {
      onRequestStart(controller) {
        running = controller;
        if (performance.now() - began > deadline_ms) controller.abort(new Error('too late'));
      },
      onResponseStart(_, code, sent) {
        status = code;
        headers = plainHeaders(sent);
      },
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        clearTimeout(late);
        const [only = EMPTY] = chunks;
        resolve({ status, headers, body: chunks.length > 1 ? Buffer.concat(chunks) : only });
      },
      onResponseError(_, error) {
        clearTimeout(late);
        reject(error);
      },
    });
  });
}

/** Whether nothing of a failed exchange has left; else its outcome is unknown. */
export function mayGoElsewhere(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: string; readonly cause?: { code?: string } };
  return NOT_CONNECTED.has(code ?? '') || NOT_CONNECTED.has(cause?.code ?? '');
}

function plainHeaders(
  sent: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in sent) {
    const value = sent[name];
    if (value !== undefined) plain[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return plain;
}
