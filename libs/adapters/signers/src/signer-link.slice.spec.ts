import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ownCertificate } from '@tender/adapter-outbound/testing';
import { freePort } from '@tender/adapter-postgres-server';
import { Unavailable } from '@tender/eventing';
import { signerLink, type ClosableLink, type SignerPlace } from './signer-link';

const closers: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const SIGNED = { message: { kind: 'describe' }, signature: 'c2lnbmVk' };

async function serve(
  answer: RequestListener,
  server: Server = createServer(),
  port = 0,
): Promise<number> {
  server.on('request', answer);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function linkTo(port: number, place: Partial<SignerPlace> = {}): ClosableLink {
  const url = `http://127.0.0.1:${port}`;
  const link = signerLink({ name: 'signer A', url, certificate: null, ...place });
  closers.push(() => link.close());
  return link;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const answering =
  (status: number, body: string) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status).end(body);

const failure = (link: ClosableLink) => link.ask({}).then(() => null, (error: Error) => error);

test('carries JSON to /messages and back', async () => {
  const heard: unknown[] = [];
  const port = await serve(async (request, response) => {
    heard.push([request.method, request.url, JSON.parse(await textOf(request))]);
    response.end(JSON.stringify(SIGNED));
  });
  expect(await linkTo(port).ask({ asks: 'describe' })).toEqual(SIGNED);
  expect(heard).toEqual([['POST', '/messages', { asks: 'describe' }]]);
});

test('brings a refusal that is signed, whatever its status', async () => {
  const port = await serve(answering(409, JSON.stringify(SIGNED)));
  expect(await linkTo(port).ask({})).toEqual(SIGNED);
});

test('waits for a signer that does not listen yet', async () => {
  const port = await freePort();
  const asked = linkTo(port).ask({});
  await new Promise((resolve) => setTimeout(resolve, 200));
  await serve(answering(200, JSON.stringify(SIGNED)), createServer(), port);
  expect(await asked).toEqual(SIGNED);
});

test.each([
  ['401', answering(401, ''), 'it does not know the identity of who asks'],
  ['an answer without a signature', answering(200, '{"message":{}}'), 'it answered 200, and nothing that is signed'],
  ['what is no JSON', answering(502, '<html>'), 'it answered 502, and nothing that is signed'],
  ['more than a signer has to say', answering(200, ' '.repeat(300 * 1024)), 'its answer is too long'],
])('%s is no answer', async (_, listener, reason) => {
  const error = await failure(linkTo(await serve(listener)));
  expect(error).toBeInstanceOf(Unavailable);
  expect(error?.message).toBe(`signer A is unavailable: ${reason}`);
});

test('what may have been heard is not sent again', async () => {
  let heard = 0;
  const port = await serve((request) => {
    heard += 1;
    request.socket.destroy();
  });
  expect(await failure(linkTo(port))).toBeInstanceOf(Unavailable);
  expect(heard).toBe(1);
});

test('a signer that does not answer is given up', async () => {
  const port = await serve(() => undefined);
  expect(await failure(linkTo(port, { answer_ms: 50 }))).toBeInstanceOf(Unavailable);
});

test('both sides show certificates', async () => {
  const [ours, theirs] = [ownCertificate(), ownCertificate()];
  const options = { ...theirs, ca: ours.cert, requestCert: true, rejectUnauthorized: true };
  const port = await serve(
    answering(200, JSON.stringify(SIGNED)),
    createSecureServer(options) as unknown as Server,
  );
  const url = `https://127.0.0.1:${port}`;
  const certificate = { ...ours, ca: theirs.cert };
  expect(await linkTo(port, { url, certificate }).ask({})).toEqual(SIGNED);
  const stranger = { ...ownCertificate(), ca: theirs.cert };
  expect(await failure(linkTo(port, { url, certificate: stranger }))).toBeInstanceOf(Unavailable);
  const foreign = { ...ours, ca: ours.cert };
  expect(await failure(linkTo(port, { url, certificate: foreign }))).toBeInstanceOf(Unavailable);
});
