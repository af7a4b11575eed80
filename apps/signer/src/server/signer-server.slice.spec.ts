import { once } from 'node:events';
import { request as requestHttp, type Server } from 'node:http';
import { request as requestHttps, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ownCertificate } from '@tender/adapter-outbound/testing';
import { signerServer, type ServerOptions } from './signer-server';

const open: Server[] = [];
const logged: unknown[] = [];
const log = {
  info: () => undefined,
  warn: () => undefined,
  error: (...said: unknown[]) => void logged.push(said),
};
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function served(options: Partial<ServerOptions>): Promise<RequestOptions> {
  const server = signerServer({ tls: null, log, answer: async () => null, ...options });
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, agent: false };
}

/** Its status and its body; or the code of what went wrong with the connection. */
async function asked(options: RequestOptions, body = ''): Promise<unknown> {
  const request = 'ca' in options ? requestHttps(options) : requestHttp(options);
  request.end(body);
  try {
    const [response] = await once(request, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return [response.statusCode, Buffer.concat(chunks).toString()];
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

test('S45: with certificates it speaks to a client that shows one of its authority, and to no other', async () => {
  const [own, client, stranger] = [ownCertificate(), ownCertificate(), ownCertificate()];
  const place = await served({ tls: { ...own, ca: client.cert } });
  const health = { ...place, path: '/healthz', ca: own.cert };
  expect(await asked({ ...health, ...client })).toEqual([200, '']);
  expect(await asked({ ...health, ...stranger })).toMatch(/^(ERR_SSL|ECONNRESET|EPIPE)/);
  expect(await asked(health)).toMatch(/^(ERR_SSL|ECONNRESET|EPIPE)/);
});

test('a fault is an empty 503, and its text, which could hold a secret, is not logged', async () => {
  const place = await served({
    answer: () => Promise.reject(new TypeError('a share: 0123456789abcdef')),
  });
  expect(await asked({ ...place, method: 'POST', path: '/messages' }, '{}')).toEqual([503, '']);
  expect(JSON.stringify(logged)).toContain('TypeError');
  expect(JSON.stringify(logged)).not.toContain('0123456789abcdef');
});

test('what is longer than any message is not read to its end', async () => {
  const heard: unknown[] = [];
  const place = await served({ answer: async (message) => (heard.push(message), null) });
  const long = JSON.stringify({ padding: 'x'.repeat(1024 * 1024) });
  expect(await asked({ ...place, method: 'POST', path: '/messages' }, long)).not.toEqual([200, '']);
  expect(heard.filter((message) => message !== undefined)).toEqual([]);
});
