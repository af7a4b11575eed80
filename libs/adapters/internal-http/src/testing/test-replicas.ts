import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { realDelays } from '@tender/adapter-postgres';
import { freePort } from '@tender/adapter-postgres-server';
import { hmacSeal } from '../hmac-seal';
import { serviceClient, type ServiceClient, type ServiceClientOptions } from '../service-client';

export const seal = hmacSeal({
  secret: 'a secret of all processes, long enough',
  clock: { wall: () => performance.timeOrigin + performance.now() },
});
const servers: Server[] = [];
const clients: ServiceClient[] = [];

export type Answers = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void;

/** A replica that answers as `answer` does. */
export async function replica(answer: Answers, host = '127.0.0.1', port = 0): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, Buffer.concat(chunks), response));
  });
  // A test that is held up must not find its connection closed.
  server.keepAliveTimeout = 0;
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** An address at which no process listens any more. */
export const deadReplica = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

export function clientOf(
  urls: readonly string[],
  options: Pick<ServiceClientOptions, 'lookUp' | 'ticks'> = {},
): ServiceClient {
  const client = serviceClient({ service: 'payments', urls, seal, delays: realDelays, ...options });
  clients.push(client);
  return client;
}

export async function endAll(): Promise<void> {
  for (const client of clients.splice(0)) await client.close();
  for (const server of servers.splice(0)) await end(server);
}

function end(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}

export const request = (extra: object = {}) => ({
  method: 'POST',
  url: '/api/v1/payments?limit=2',
  body: Buffer.from('{"amount": 10}'),
  said: { merchant_id: 'm-1' },
  deadline_ms: 120_000,
  ...extra,
});
