import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { EdgeStage, TEST_KEY } from './testing/edge-stage';

describe('what never becomes a request', () => {
  const stage = new EdgeStage();
  let port: number;

  beforeAll(async () => {
    await stage.server.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = stage.server.server.address() as AddressInfo);
  });
  afterAll(() => stage.server.close());

  /** Sends bytes as they are and reads until the server closes. */
  const send = (...parts: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => parts.forEach((part) => socket.write(part)));
      socket.on('data', (bytes) => (answer += bytes.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', (error) => (answer ? resolve(answer) : reject(error)));
    });

  const HEAD = `POST /api/v1/payments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_KEY}\r\n`;
  const JSON_TYPE = 'Content-Type: application/json\r\n';

  it.each([
    ['headers over 16 KiB (43)', [`GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`], 431, 'headers_too_large'],
    ['no HTTP', ['hello\r\n\r\n'], 400, 'invalid_parameter'],
    ['two lengths (42)', [`${HEAD}${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`], 400, 'invalid_parameter'],
    ['a raw line break in the path (106)', ['GET /a\rb HTTP/1.1\r\nHost: x\r\n\r\n'], 400, 'invalid_parameter'],
    [
      'an endless chunked body (34)',
      [`${HEAD}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`, ...Array.from({ length: 5 }, () => `8000\r\n${' '.repeat(0x8000)}\r\n`)],
      413,
      'payload_too_large',
    ],
    ['no Host', ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'], 400, 'invalid_parameter'],
    ['an odd Expect', [`${HEAD}${JSON_TYPE}Expect: tea\r\nContent-Length: 2\r\n\r\n`], 417, 'expectation_failed'],
    [
      'a bad credential of a client that waits for 100',
      [`POST /api/v1/payments HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`],
      401,
      'authentication_failed',
    ],
    ['a packed body (41)', [`${HEAD}${JSON_TYPE}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc`], 415, 'unsupported_media_type'],
  ])('%s', async (_, parts, status, code) => {
    const answer = await send(...parts);
    const said = answer.replace('HTTP/1.1 100 Continue\r\n\r\n', '');
    const [head = '', body = ''] = said.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body)).toMatchObject({ code, details: expect.any(Object) as object });
    const headers = head.toLowerCase();
    const { correlation_id } = JSON.parse(body) as { correlation_id: string };
    expect(headers).toContain(`x-correlation-id: ${correlation_id}\r\n`);
    for (const name of ['x-correlation-id', 'x-svc-mode', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'cache-control: no-store', 'connection: close']) {
      expect(headers).toContain(name);
    }
  });

  it('a body that is broken off is one line, and no fault of ours', async () => {
    stage.logged.length = 0;
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${HEAD}${JSON_TYPE}Expect: 100-continue\r\nContent-Length: 12\r\n\r\n{"am`);
    });
    // The server has begun to read: it asked for the body.
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
    while (stage.logged.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(stage.logged).toEqual([
      {
        ...{ level: 'info', message: 'a client left before its request was whole' },
        correlation_id: expect.any(String) as string,
      },
    ]);
  });
});
