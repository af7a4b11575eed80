import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { clientOf, endAll, replica, request } from './testing/test-replicas';

afterEach(endAll);

const listening = (extra: object = {}) =>
  request({ method: 'GET', url: '/listen', body: null, stream: true, ...extra });

/** A service that streams where it is asked for `/listen`, and answers every other request. */
async function streaming() {
  const answers: ServerResponse[] = [];
  const url = await replica(({ url: path }, _, response) => {
    if (path !== '/listen') return void response.end('ok');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    answers.push(response);
  });
  return { client: clientOf([url]), answers };
}

test('a stream is there with its headers, and goes on after the deadline of its beginning', async () => {
  const { client, answers } = await streaming();
  const deaf = clientOf([await replica(() => undefined)]);
  const { status, stream, body } = await client.send(listening({ deadline_ms: 500 }));
  expect([status, body.length]).toEqual([200, 0]);
  // Asked later and with the same deadline: when this one has missed it, so has the stream.
  await expect(deaf.send(request({ deadline_ms: 500 }))).rejects.toThrow();
  const heard = once(stream as Readable, 'data');
  answers[0]?.write('data: 1\n\n');
  expect(String((await heard)[0])).toBe('data: 1\n\n');
  const ended = once(stream as Readable, 'end');
  answers[0]?.end();
  await ended;
});

test('a client that destroys a stream leaves', async () => {
  const { client, answers } = await streaming();
  const { stream } = await client.send(listening());
  const left = once(answers[0] as ServerResponse, 'close');
  stream?.destroy();
  await left;
});

test('a stream that is cut ends with an error, also while it has no reader', async () => {
  const { client, answers } = await streaming();
  const { stream } = await client.send(listening());
  answers[0]?.destroy();
  while (!stream?.destroyed) await new Promise(setImmediate);
  expect(stream?.errored).toBeInstanceOf(Error);
});

test('an answer that is no event stream comes whole', async () => {
  const { client } = await streaming();
  const answer = await client.send(listening({ url: '/other' }));
  expect([String(answer.body), answer.stream]).toEqual(['ok', null]);
});

test('an event stream that the request did not ask for as it comes is waited for', async () => {
  const { client, answers } = await streaming();
  const sent = client.send(listening({ stream: false }));
  while (answers.length === 0) await new Promise(setImmediate);
  answers[0]?.end('data: 1\n\n');
  expect(await sent).toMatchObject({ body: Buffer.from('data: 1\n\n'), stream: null });
});

test('streams leave the connections of requests alone, however many there are', async () => {
  const { client, answers } = await streaming();
  await Promise.all(Array.from({ length: 150 }, () => client.send(listening())));
  expect(answers).toHaveLength(150);
  expect(String((await client.send(request())).body)).toBe('ok');
});
