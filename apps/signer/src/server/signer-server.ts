import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Signed } from '@tender/threshold';
import type { SignerLog } from '@tender/signer-features';
import type { Tls } from '../settings/listen-settings';
import { readBody } from './read-body';

export interface ServerOptions {
  readonly tls: Tls | null;
  /** Null: the message is not signed for this signer. */
  answer(message: unknown): Promise<Signed | null>;
  readonly log: SignerLog;
}

/** Treasury’s connections, and not many others. */
const CONNECTIONS_MAX = 128;
/** Until a request has come whole. */
const REQUEST_MS = 5_000;
/** Longer than treasury keeps a connection that it does not use. */
const KEEP_ALIVE_MS = 10_000;

/**
 * `POST /messages` takes a signed message and answers a signed one. Everything else is 401 with nothing in it, but for
 * `/healthz`, which tells that the process is there.
 */
export function signerServer(options: ServerOptions): Server {
  const { tls, log } = options;
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    response.on('error', () => response.destroy());
    serve(options, request, response).catch((error: unknown) => {
      // A client that goes away while it sends is no fault of this signer.
      if (request.complete) log.error(faultOf(error), 'a message could not be answered');
      end(response, 503);
    });
  };
  const server = tls
    ? createSecureServer({ ...tls, requestCert: true, rejectUnauthorized: true }, listen)
    : createServer(listen);
  server.maxConnections = CONNECTIONS_MAX;
  server.headersTimeout = REQUEST_MS;
  server.requestTimeout = REQUEST_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.timeout = 2 * KEEP_ALIVE_MS;
  return server;
}

async function serve(
  { answer }: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET' && request.url === '/healthz') return end(response, 200);
  const asked = request.method === 'POST' && request.url === '/messages';
  const answered = asked ? await answer(await readBody(request)) : null;
  if (answered === null) return end(response, 401);
  const body = JSON.stringify(answered);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(200, headers).end(body);
}

/** After a fault the connection ends: what is left of the request is not read. */
function end(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  const headers = { 'content-length': 0, ...(status === 200 ? {} : { connection: 'close' }) };
  response.writeHead(status, headers).end();
}

/** Its kind and its place; a text could hold what was sent. */
function faultOf(error: unknown): object {
  const { name, code, stack } = error as Error & { code?: unknown };
  return { fault: name, code, at: stack?.split('\n').find((line) => /^\s+at /.test(line))?.trim() };
}
