import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerOfStatus, bodyOfError, type ErrorAnswer } from '@tender/http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { Requester } from './admission/client-address';
import { JSON_TYPE, sendError } from './answering/answer-headers';

export const BODY_BYTES_MAX = 64 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
/** A whole request must have arrived by then, however slowly it drips. */
const REQUEST_TIMEOUT_MS = 10_000;

/** The headers of an answer to a client of which only the address is known. */
export type StrangerHeaders = (
  from: Requester,
) => Readonly<Record<string, string>> & { readonly 'X-Correlation-Id': string };

declare module 'fastify' {
  interface FastifyInstance {
    strangerHeaders: StrangerHeaders;
  }
}

/** How the server must be made, so that also what it refuses before any hook runs has our headers and shape. */
export function edgeServerOptions(): FastifyHttpOptions<Server> {
  return {
    bodyLimit: BODY_BYTES_MAX,
    logger: false,
    trustProxy: false,
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      // The first hook asks for it, and answers in our form.
      requireHostHeader: false,
      headersTimeout: REQUEST_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
    },
    routerOptions: { maxParamLength: 100, querystringParser: () => ({}) },
    frameworkErrors: (error, _, reply) => {
      sendError(reply, answerOfStatus(error.statusCode === 414 ? 404 : (error.statusCode ?? 400)));
    },
    clientErrorHandler(this: FastifyInstance, error, socket) {
      answerBrokenRequest(this, error, socket as Socket);
    },
  };
}

const STATUS_OF_PARSE_ERROR: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What Node could not read as HTTP: answered on the bare socket, which is closed after it. */
function answerBrokenRequest(
  fastify: FastifyInstance,
  { code }: { readonly code: string },
  socket: Socket,
): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = answerOfStatus(STATUS_OF_PARSE_ERROR[code] ?? 400);
  socket.end(rawAnswer(answer, fastify.strangerHeaders({ socket, headers: {} })));
}

function rawAnswer(answer: ErrorAnswer, headers: ReturnType<StrangerHeaders>): string {
  const { status } = answer;
  const text = JSON.stringify(bodyOfError(answer, headers['X-Correlation-Id']));
  const lines = Object.entries({
    ...headers,
    'Content-Type': JSON_TYPE,
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n');
}
