import type { Readable } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';
import { INTERNAL_HEADER, type InternalSeal } from '@tender/eventing';
import { streamedBody } from './streamed-body';

export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly body: Buffer | null;
  /** Sealed and sent along. */
  readonly said: object;
  /** Milliseconds for the whole exchange, looking for a replica included; of a stream until it begins. */
  readonly deadline_ms: number;
  /** An answer that is an event stream is passed on as it comes, for as long as it goes on. */
  readonly stream?: boolean;
  /** Only the replica that leads can answer: the client asks the one first that did so last. */
  readonly of_leader?: boolean;
  /** Heard twice, it has no second effect: it may go to another replica, and to the same one again. */
  readonly may_repeat?: boolean;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whole; empty where there is a stream. */
  readonly body: Buffer;
  /** Destroy it to leave. Ends with an error when the service does not end it in order. */
  readonly stream: Readable | null;
}

const EMPTY = Buffer.alloc(0);
/** Streams say something every 15 s. One that is silent for this long, in milliseconds, has lost its service. */
const SILENCE_MAX_MS = 60_000;
const EVENT_STREAM = 'text/event-stream';
/** Nothing of the request has left: another replica may have it. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Without the streams of undici's `request`: most answers are small and wanted whole. Rejects at the deadline. */
export function exchange(
  pool: Pool,
  seal: InternalSeal,
  { method, url, body, said, deadline_ms, stream: may_stream = false }: ServiceRequest,
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
    bodyTimeout: may_stream ? SILENCE_MAX_MS : deadline_ms,
  };
  return new Promise((resolve, reject) => {
    let running: Dispatcher.DispatchController | null = null;
    // Also for what waits for a connection: its answer would come too late.
    const late = setTimeout(() => {
      const error = new Error(`no answer in ${Math.round(deadline_ms)} ms`);
      running?.abort(error);
      reject(error);
    }, deadline_ms);
    let status = 0;
    let headers: Record<string, string> = {};
    const chunks: Buffer[] = [];
    let stream: Readable | null = null;
    pool.dispatch(options, {
      onRequestStart(controller) {
        running = controller;
        if (performance.now() - began > deadline_ms) controller.abort(new Error('too late'));
      },
      onResponseStart(controller, code, sent) {
        status = code;
        headers = plainHeaders(sent);
        if (!may_stream || !headers['content-type']?.startsWith(EVENT_STREAM)) return;
        clearTimeout(late);
        stream = streamedBody(controller);
        resolve({ status, headers, body: EMPTY, stream });
      },
      onResponseData(controller, chunk) {
        if (stream === null) chunks.push(chunk);
        else if (!stream.push(chunk)) controller.pause();
      },
      onResponseEnd() {
        if (stream !== null) return void stream.push(null);
        clearTimeout(late);
        const [only = EMPTY] = chunks;
        const whole = chunks.length > 1 ? Buffer.concat(chunks) : only;
        resolve({ status, headers, body: whole, stream });
      },
      onResponseError(_, error) {
        stream?.destroy(error);
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
