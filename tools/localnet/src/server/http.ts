import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ChainNode } from '../rpc/chain-node';
import { answerHttp } from '../rpc/dispatch';
import { parseErrorAnswer } from '../rpc/envelope';
import { report } from './report';

const BODY_BYTES_MAX = 512 * 1024;
/** Node's 5 s drop connections that web3.js' agent believes to be open. */
const KEEP_ALIVE_MS = 120_000;

const JSON_TYPE = 'application/json';
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type, solana-client',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
};

/** The JSON-RPC server of one ledger, not yet listening. */
export function rpcServer(node: ChainNode): Server {
  const server = createServer((request, response) => {
    response.on('error', () => response.destroy());
    void serve(node, request, response).catch((error: unknown) => {
      // A client that goes away while it sends is no fault of ours.
      if (!request.destroyed) report('a request failed', error);
      if (!response.headersSent) reply(response, 500, 'internal error');
      else response.destroy();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

function reply(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain',
): void {
  response.writeHead(status, { ...CORS, 'content-type': type });
  response.end(body);
}

async function serve(
  node: ChainNode,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'OPTIONS') return reply(response, 204, '');
  if (request.method === 'GET' && request.url === '/health') return reply(response, 200, 'ok');
  if (request.method !== 'POST') {
    return reply(response, 405, 'Used HTTP Method is not allowed. POST or OPTIONS is required\n');
  }
  if (!/^application\/json/i.test(request.headers['content-type'] ?? '')) {
    return reply(response, 415, 'Supplied content type is not allowed. Use application/json\n');
  }
  const body = await read(request);
  if (body === null) return reply(response, 413, 'Request body is too large\n');
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    return reply(response, 200, JSON.stringify(parseErrorAnswer()), JSON_TYPE);
  }
  const answer = await answerHttp(node, parsed, request.headers.origin !== undefined);
  return reply(response, answer.status, answer.text, JSON_TYPE);
}

/** Null when it is too large; the rest of it is then read and dropped. */
async function read(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk as Buffer);
  }
  return bytes <= BODY_BYTES_MAX ? Buffer.concat(chunks) : null;
}
