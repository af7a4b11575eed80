import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from './client';

/** A server that answers each request in its turn, and the keys that it was sent. */
async function serverOf(...answers: readonly RequestListener[]) {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    answers[Math.min(keys.length, answers.length) - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { keys, url: () => url, close: () => server.close() };
}

const cut: RequestListener = (request) => void request.socket.destroy();
const unavailable: RequestListener = (_, response) => void response.writeHead(503).end();
const ok: RequestListener = (_, response) => void response.end('{"id":1}');

test('a patient client comes again under the same key after 503 and after a cut, until there is an answer', async () => {
  const server = await serverOf(cut, unavailable, cut, ok);
  const answer = await new Client(server.url, null, { patience: 'always' }).post('/', {});
  expect([answer.status, answer.json]).toEqual([200, { id: 1 }]);
  expect(server.keys).toHaveLength(4);
  expect(new Set(server.keys).size).toBe(1);
  server.close();
});

test('one that comes again where the machine has stood still sends a key from the first time on', async () => {
  const server = await serverOf(ok);
  const client = new Client(server.url, null, { patience: 'stalled' });
  await client.post('/', {});
  await client.post('/', {}, { 'idempotency-key': 'mine' });
  await client.get('/');
  expect(server.keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), 'mine', undefined]);
  server.close();
});

test('any other client asks once, and throws what cut it', async () => {
  const server = await serverOf(unavailable, cut, ok);
  const client = new Client(server.url, null, { patience: 'always' }).once();
  expect((await client.get('/')).status).toBe(503);
  await expect(client.get('/')).rejects.toMatchObject({ code: expect.any(String) });
  expect(server.keys).toHaveLength(2);
  server.close();
});
