import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import http, { type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { buildConnector } from 'undici';
import { download, type DownloadOptions } from './download';
import { operatorSources } from './operator-sources';
import { ownCertificate } from './testing/own-certificate';

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

async function listening(server: Server | net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    if (server instanceof http.Server) server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
const serve = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listening(http.createServer(listener))}/list.xml`;

const clock = { wall: () => 1_700_000_000_000 };
const { signal } = new AbortController();

async function textOf(chunks: AsyncIterable<Uint8Array> | null): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks ?? []) all.push(chunk);
  return Buffer.concat(all).toString();
}
const read = async (url: string, bounds: Parameters<typeof operatorSources>[1] = {}) =>
  textOf((await operatorSources(clock, bounds).open(url, signal)).chunks);

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

test('a document comes in pieces, as of when it was asked for; nothing compressed is asked for', async () => {
  const asked: unknown[] = [];
  const url = await serve(({ headers }, response) => {
    asked.push(headers['accept-encoding']);
    response.setHeader('Content-Digest', `sha-512=:AA==:, sha-256=:${sha256('<list/>')}:`);
    response.write('<li');
    response.end('st/>');
  });
  const { chunks, as_of_ms } = await operatorSources(clock).open(url, signal);
  expect([await textOf(chunks), as_of_ms, asked]).toEqual([
    ...['<list/>', 1_700_000_000_000, ['identity']],
  ]);
});

test('a URL’s document comes again only where its ETag is another; who has seen none is sent it', async () => {
  let etag = '"1"';
  const url = await serve(({ headers }, response) => {
    response.setHeader('ETag', etag);
    if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.end('<list/>');
  });
  const open = (seen?: string | null) => operatorSources(clock).open(url, signal, seen);
  const first = await open();
  expect([await textOf(first.chunks), first.version]).toEqual(['<list/>', '"1"']);
  expect(await open(first.version)).toEqual({ chunks: null, version: '"1"', as_of_ms: clock.wall() });
  etag = '"2"';
  const changed = await open(first.version);
  expect([await textOf(changed.chunks), changed.version]).toEqual(['<list/>', '"2"']);
  const unasked = await serve((_, answer) => void answer.writeHead(304).end());
  await expect(read(unasked)).rejects.toThrow('answered 304');
});

test('a file comes again once it was written or replaced, as of when it was written', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tender-source-')), 'list.xml');
  closers.push(() => rmSync(dirname(path), { recursive: true }));
  const written = (text: string, at_s: number) => {
    writeFileSync(path, text);
    utimesSync(path, at_s, at_s);
  };
  const open = (seen?: string | null) => operatorSources(clock).open(path, signal, seen);
  written('<list/>', 1_600_000_000);
  const first = await open();
  expect([await textOf(first.chunks), first.as_of_ms]).toEqual(['<list/>', 1_600_000_000_000]);
  expect((await open(first.version)).chunks).toBeNull();
  written('<list/>', 1_600_086_400);
  const touched = await open(first.version);
  expect([await textOf(touched.chunks), touched.as_of_ms]).toEqual(['<list/>', 1_600_086_400_000]);
});

test('https is read where its certificate is trusted, and nowhere else', async () => {
  const own = ownCertificate();
  const server = https.createServer(own, (_, response) => response.end('<list/>'));
  const url = `https://127.0.0.1:${await listening(server)}/list.xml`;
  await expect(read(url)).rejects.toThrow(/self-signed/);
  const trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, own.cert]);
  try {
    expect(await read(url)).toBe('<list/>');
    await expect(read(url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow();
  } finally {
    tls.setDefaultCACertificates(trusted);
  }
});

test.each<[string, RequestListener, RegExp]>([
  ['no document', (_, answer) => void answer.writeHead(404).end('<list/>'), /answered 404/],
  ['a part of one', (_, answer) => void answer.writeHead(206).end('<list/>'), /answered 206/],
  ['an error', (_, answer) => void answer.writeHead(503).end('<list/>'), /answered 503/],
  [
    'one that ends before its stated length',
    (_, answer) => {
      answer.setHeader('Content-Length', '100');
      answer.write('<list>', () => answer.destroy());
    },
    /terminated|closed|aborted/,
  ],
  [
    'one whose last piece is missing',
    (_, answer) => void answer.write('<list>', () => answer.destroy()),
    /terminated|closed|aborted/,
  ],
  [
    'other bytes than its stated checksum is of',
    (_, answer) => {
      answer.setHeader('Repr-Digest', `sha-256=:${sha256('<list/>')}:`);
      answer.end('<lost/>');
    },
    /SHA-256/,
  ],
  [
    'bytes that would have to be inflated',
    (_, answer) => {
      answer.setHeader('Content-Encoding', 'gzip');
      answer.end(gzipSync(Buffer.alloc(10 * 1024 * 1024)));
    },
    /sends it as gzip/,
  ],
])('%s is refused', async (_, listener, fault) => {
  await expect(read(await serve(listener))).rejects.toThrow(fault);
});

test.each<[string, RequestListener]>([
  [
    'says that it is longer than is read',
    (_, answer) => {
      answer.setHeader('Content-Length', '1001');
      answer.write('<');
    },
  ],
  [
    'does not end',
    (_, answer) => {
      const more = () => answer.write('<party/>'.repeat(100), () => setImmediate(more));
      more();
    },
  ],
])('a document that %s is given up', async (_, listener) => {
  await expect(read(await serve(listener), { bytes_max: 1000 })).rejects.toThrow(
    'longer than 1000 bytes',
  );
});

test('one that comes byte by byte for ever ends at its deadline, and its connection with it', async () => {
  const closed = Promise.withResolvers<void>();
  const url = await serve((_, answer) => {
    const trickle = setInterval(() => answer.write(' '), 5);
    answer.on('close', () => {
      clearInterval(trickle);
      closed.resolve();
    });
  });
  await expect(read(url, { deadline_ms: 300 })).rejects.toThrow('within 0.3 seconds');
  await closed.promise;
});

test('one of which nothing more comes is not waited for', async () => {
  const url = await serve((_, answer) => void answer.write('<list>'));
  await expect(read(url, { stalled_ms: 100 })).rejects.toThrow(/timeout/i);
});

describe('redirects', () => {
  const redirecting = (to: (path: string) => string) =>
    serve(({ url = '' }, answer) => {
      if (url === '/here') answer.end('<list/>');
      else answer.writeHead(302, { Location: to(url) }).end();
    });

  test('are followed on the origin that the operator has named', async () => {
    expect(await read(await redirecting(() => '/here'))).toBe('<list/>');
  });

  test('are followed three times, not for ever', async () => {
    let hops = 0;
    const url = await redirecting(() => `/${(hops += 1)}`);
    await expect(read(url)).rejects.toThrow('more than 3 times');
    expect(hops).toBe(4);
  });

  test('to this machine or a private network are refused before anything is asked there', async () => {
    let visits = 0;
    const inside = await serve((_, answer) => answer.end(String((visits += 1))));
    for (const to of [inside, inside.replace('127.0.0.1', 'localhost'), 'https://10.0.0.1/', 'file:///etc/passwd']) {
      await expect(read(await redirecting(() => to))).rejects.toThrow(/redirects to .*: it must/);
    }
    const named = await redirecting(() => 'https://mirror.example.com/list.xml');
    const resolve = async () => ['8.8.8.8', '10.0.0.1'];
    await expect(download(named, { ...OPTIONS, resolve })).rejects.toThrow('private network');
    expect(visits).toBe(0);
  });

  test('to a public name go to the address that was looked at', async () => {
    const port = new URL(await serve((_, answer) => answer.end('<list/>'))).port;
    const pinned: string[] = [];
    const connectTo: DownloadOptions['connectTo'] = (address, host) => {
      pinned.push(address, host);
      const connect = buildConnector({});
      return (options, done) =>
        connect({ ...options, protocol: 'http:', hostname: '127.0.0.1', port }, done);
    };
    const named = await redirecting(() => 'https://mirror.example.com/list.xml#part');
    const resolve = async () => ['8.8.8.8'];
    const { chunks } = await download(named, { ...OPTIONS, resolve, connectTo });
    expect(await textOf(chunks)).toBe('<list/>');
    expect(pinned).toEqual(['8.8.8.8', 'mirror.example.com']);
  });

  test('that say nowhere are refused', async () => {
    const url = await serve((_, answer) => void answer.writeHead(301).end());
    await expect(read(url)).rejects.toThrow('does not say where to');
  });

  const OPTIONS = { bytes_max: 1000, deadline_ms: 600_000, stalled_ms: 600_000, signal };
});
