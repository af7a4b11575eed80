import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { Pool } from 'undici';
import type { Log, OutboundRequest } from '@tender/eventing';
import { guardedOutbound } from './guarded-outbound';
import { pinnedConnector } from './pinned-connector';

const warnings: object[] = [];
const log: Log = { info() {}, warn: (fields) => void warnings.push(fields), error() {} };
const outbound = guardedOutbound({ allowLoopback: true, log });
const closers: (() => void)[] = [];
afterAll(async () => {
  for (const close of closers) close();
  await outbound.close();
});

/** A server that answers in raw bytes; returns its URL. */
async function serve(
  onConnection: (socket: Socket) => void,
  server: net.Server = net.createServer(),
) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.on('connection', onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, port, sockets };
}

/**
 * A port of 127.0.0.1 that no server listens on. A connection from it stays open until the end, so the system gives it
 * to no server. It was given to a server before, because Linux takes the ports of clients from others: a client that
 * had this one as its own would connect to itself.
 */
async function refusingPort(): Promise<number> {
  const { port } = await serve(() => undefined);
  const given = net.createServer();
  await once(given.listen(0, '127.0.0.1'), 'listening');
  const { port: localPort } = given.address() as AddressInfo;
  await once(given.close(), 'close');
  const holder = net.connect({ port, host: '127.0.0.1', localPort });
  closers.push(() => holder.destroy());
  await once(holder, 'connect');
  return localPort;
}

const answering = (head: string, after: (socket: Socket) => void = (socket) => socket.end()) =>
  serve((socket) => {
    socket.once('data', () => {
      socket.write(head);
      after(socket);
    });
  });

const post = (url: string, more: Partial<OutboundRequest> = {}) =>
  outbound.post({ url, headers: {}, body: Buffer.from('{}'), timeout_ms: 120_000, body_max: 16, ...more });

test('2xx, headers, Retry-After and the first bytes of the body come back', async () => {
  const { url } = await answering(
    'HTTP/1.1 202 Accepted\r\nRetry-After: 7\r\nContent-Length: 5\r\n\r\nhello',
  );
  expect(await post(url)).toMatchObject({
    ok: true,
    status: 202,
    body: Buffer.from('hello'),
    body_cut: false,
    retry_after: '7',
  });
});

test('some interim answers are passed over; of a flood of them a few are read', async () => {
  const interim = (count: number) => 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(count);
  const final = 'HTTP/1.1 204 No Content\r\n\r\n';
  const patient = await answering(`${interim(3)}${final}`);
  expect(await post(patient.url)).toMatchObject({ ok: true, status: 204 });

  const closed = Promise.withResolvers<void>();
  const flooding = await answering('', (socket) => {
    const flood = setInterval(() => socket.write(interim(100)), 1);
    socket.on('close', () => {
      clearInterval(flood);
      closed.resolve();
    });
  });
  expect(await post(flooding.url)).toMatchObject({
    ...{ ok: false, failure: 'bad_answer' },
    detail: 'Interim answers (1xx) came, and no final one.',
  });
  await closed.promise;
});

test('a redirect is an answer, and is not followed', async () => {
  let visits = 0;
  const target = await serve(() => (visits += 1));
  const { url } = await answering(`HTTP/1.1 302 Found\r\nLocation: ${target.url}\r\nContent-Length: 0\r\n\r\n`);
  expect(await post(url)).toMatchObject({ ok: true, status: 302 });
  expect(visits).toBe(0);
});

test('a server that never answers costs the deadline and no more', async () => {
  const { url } = await serve(() => undefined);
  expect(await post(url, { timeout_ms: 150 })).toMatchObject({ ok: false, failure: 'timed_out' });
});

test('a body that drips for ever is a success at the status line', async () => {
  const { url } = await answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', (socket) => {
    const drip = setInterval(() => socket.write('1\r\nx\r\n'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  const postFor = (timeout_ms: number) => post(url, { timeout_ms, body_max: 1000 });
  let timeout_ms = 200;
  let answer = await postFor(timeout_ms);
  // On a busy machine the status line may come later than that.
  while (!answer.ok && answer.failure === 'timed_out' && timeout_ms < 120_000) {
    answer = await postFor((timeout_ms *= 4));
  }
  expect(answer).toMatchObject({ ok: true, status: 200, body_cut: true });
});

test('an endless body is cut at its limit and the connection dropped', async () => {
  const closed = new Promise<void>((resolve) => {
    void answering('HTTP/1.1 200 OK\r\n\r\n', (socket) => {
      const flood = setInterval(() => socket.write('y'.repeat(10_000)), 1);
      socket.on('close', () => {
        clearInterval(flood);
        resolve();
      });
    }).then(async ({ url }) => {
      const answer = await post(url, { body_max: 4096 });
      expect(answer).toMatchObject({ ok: true, body: Buffer.alloc(4096, 'y'), body_cut: true });
    });
  });
  await closed;
});

test('the request declines gzip, and gzip that comes all the same is never inflated', async () => {
  const squeezed = gzipSync(Buffer.alloc(1000, 'z'));
  let asked = '';
  const { url } = await serve((socket) => {
    socket.once('data', (request) => {
      asked = request.toString();
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${squeezed.length}\r\n\r\n`);
      socket.end(squeezed);
    });
  });
  expect(await post(url, { body_max: 4096 })).toMatchObject({ ok: true, body: squeezed });
  expect(asked.toLowerCase()).toContain('accept-encoding: identity');
});

test('reset, refusal, broken HTTP, huge headers and failed TLS have classes of their own', async () => {
  const reset = await serve((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const gone = await refusingPort();
  const broken = await answering('this is not HTTP\r\n\r\n');
  const huge = await answering(`HTTP/1.1 200 OK\r\nX-Big: ${'b'.repeat(40_000)}\r\n\r\n`);
  const secure = await serve(() => undefined, tls.createServer());
  const classes = await Promise.all(
    [reset.url, `http://127.0.0.1:${gone}/`, broken.url, huge.url, secure.url.replace('http:', 'https:')].map(
      async (url) => {
        const answer = await post(url);
        return answer.ok ? answer.status : answer.failure;
      },
    ),
  );
  expect(classes).toEqual(['connection_closed', 'connect_failed', 'bad_answer', 'bad_answer', 'tls_failed']);
});

test('localhost is reached by IPv4 or IPv6, whichever answers', async () => {
  const port = await refusingPort();
  const server = http.createServer((_, response) => response.end('six'));
  await once(server.listen(port, '::1'), 'listening');
  closers.push(() => server.close());
  expect(await post(`http://localhost:${port}/`)).toMatchObject({ ok: true, body: Buffer.from('six') });
});

describe('names', () => {
  const guardOver = (...answers: readonly (readonly string[])[]) => {
    const left = [...answers];
    let asked = 0;
    const guard = guardedOutbound({
      allowLoopback: true,
      log,
      resolve: async () => {
        asked += 1;
        const next = left.length > 1 ? left.shift() : left[0];
        if (!next) throw new Error('ENOTFOUND');
        return next;
      },
    });
    return { guard, asked: () => asked };
  };
  const request = {
    url: 'https://shop.example.com/',
    headers: {},
    body: Buffer.alloc(0),
    timeout_ms: 120_000,
    body_max: 16,
  };

  test.each([[['127.0.0.1']], [['8.8.8.8', '10.0.0.1']], [['2606:4700::1111', '::ffff:192.168.0.1']]])(
    'a name with a forbidden address among %j is neither saved nor called',
    async (addresses) => {
      const { guard } = guardOver(addresses);
      expect(await guard.refusal(request.url)).toMatch(/private network/);
      const answer = await guard.post(request);
      expect(answer).toMatchObject({ ok: false, failure: 'destination_not_allowed' });
      expect(answer).toMatchObject({ detail: 'This destination is not allowed.' });
    },
  );

  test('a name that turns inwards after it was saved is never connected to', async () => {
    let visits = 0;
    const { port } = await serve(() => (visits += 1));
    const { guard, asked } = guardOver(['8.8.8.8'], ['127.0.0.1']);
    const url = `https://shop.example.com:8443/?${port}`;
    expect(await guard.refusal(url)).toBeNull();
    expect(await guard.post({ ...request, url })).toMatchObject({ failure: 'destination_not_allowed' });
    expect([asked(), visits]).toEqual([2, 0]);
  });

  test('a name that does not resolve may be saved; the attempt says why it failed', async () => {
    const { guard } = guardOver();
    expect(await guard.refusal(request.url)).toBeNull();
    expect(await guard.post(request)).toMatchObject({ ok: false, failure: 'dns_failed' });
  });

  test('addresses are never looked up', async () => {
    const { guard, asked } = guardOver(['8.8.8.8']);
    expect(await guard.refusal('https://10.0.0.1/')).not.toBeNull();
    expect(await guard.post({ ...request, url: 'https://[::ffff:7f00:1]/' })).toMatchObject({ ok: false });
    expect(asked()).toBe(0);
  });
});

test('a pinned connection goes to its address and keeps the name in Host', async () => {
  let host: string | undefined;
  const server = http.createServer(({ headers }, response) => {
    host = headers.host;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const pool = new Pool(`http://shop.example.com:${port}`, {
    connect: pinnedConnector('127.0.0.1', 'shop.example.com'),
  });
  const { statusCode, body } = await pool.request({ path: '/', method: 'GET' });
  await body.dump();
  await pool.close();
  expect([statusCode, host]).toEqual([200, `shop.example.com:${port}`]);
});
