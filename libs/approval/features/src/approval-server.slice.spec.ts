import { connect, type AddressInfo } from 'node:net';
import { approvalServer } from './approval-server';

const API = 'https://pay.example';
const server = approvalServer({ api_url: () => `${API}/` });
const get = (url: string, headers: Record<string, string> = {}) => server.inject({ method: 'GET', url, headers });

afterAll(() => server.close());

describe('the page', () => {
  test('is HTML that nothing frames, with scripts of this origin alone, and the API alone to ask', async () => {
    const { statusCode, headers, body } = await get('/passkey-setup');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      expect.stringMatching(/^style-src 'sha256-[\w+/=]+'$/),
      "img-src 'self'",
      `connect-src ${API}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    // The one script without an address holds data, which no browser runs.
    const scripts = [...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toEqual([
      expect.stringMatching(/^<script type="module" src="\/assets\/main-[\w-]+\.js">$/),
      '<script type="application/json" id="page-data">',
    ]);
    expect(body).toContain(`"api":"${API}"`);
    expect(body).toContain('<noscript>');
  });

  test.each([
    [{ 'accept-language': 'fr-CH, en;q=0.5' }, '', 'fr'],
    [{ 'accept-language': 'de' }, '', 'en'],
    [{ 'accept-language': 'en' }, '?lang=fr', 'fr'],
  ])('with %j and %s speaks %s%s', async (headers, query, language) => {
    const { body } = await get(`/passkey-setup${query}`, headers);
    expect(body).toContain(`<html lang="${language}">`);
  });

  test.each(['br', 'gzip'])('comes as %s where the browser takes that', async (form) => {
    const { headers } = await get('/passkey-setup', { 'accept-encoding': form });
    expect(headers['content-encoding']).toBe(form);
  });
});

test('the page on which a request is approved asks no server, and keeps the window that has opened it', async () => {
  const { statusCode, headers, body } = await get('/approve');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = String(headers['content-security-policy']).split('; ');
  expect(policy).toEqual([
    ...["default-src 'none'", "script-src 'self'", expect.stringMatching(/^style-src 'sha256-[\w+/=]+'$/)],
    ...["img-src 'self'", "connect-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ]);
  expect(headers).toMatchObject({
    ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' },
    'cross-origin-opener-policy': 'unsafe-none',
  });
  expect(headers).not.toHaveProperty('set-cookie');
  expect(body).toContain(`"openers":["${API}"]`);
  const here = approvalServer({ api_url: () => 'http://127.0.0.1:8080' });
  expect((await here.inject('/approve')).body).toContain('"openers":["http://127.0.0.1:8080","http://localhost:8080"]');
  await here.close();
});

test('scripts are kept for ever under their names; another name is nothing', async () => {
  const { body } = await get('/passkey-setup');
  const [, address = ''] = /src="([^"]+)"/.exec(body) ?? [];
  const script = await get(address, { 'accept-encoding': 'br' });
  expect([script.statusCode, script.headers['content-type'], script.headers['content-encoding']]).toEqual([
    200, 'text/javascript; charset=utf-8', 'br',
  ]);
  expect(script.headers['cache-control']).toContain('immutable');
  for (const other of ['/assets/nothing.js', '/assets/..%2f..%2fpackage.json', '/assets/manifest.json']) {
    expect((await get(other)).statusCode).toBe(404);
  }
});

test('it says that it is there, has an icon, and everything else is a page that says nothing of what was asked', async () => {
  expect((await get('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await get('/icon.svg')).headers['content-type']).toBe('image/svg+xml');
  const nothing = await get('/svc_setup_secret');
  expect(nothing.statusCode).toBe(404);
  expect(nothing.body).not.toContain('secret');
  expect(nothing.headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'] as const)('it takes no %s', async (method) => {
  const payload = method === 'OPTIONS' ? undefined : '{}';
  const headers = payload ? { 'content-type': 'application/json' } : {};
  const { statusCode } = await server.inject({ method, url: '/passkey-setup', headers, ...(payload ? { payload } : {}) });
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(statusCode).toBeLessThan(500);
});

test('what is no HTTP, or an odd address, is refused without a fault', async () => {
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const answerTo = (head: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(head));
      socket.once('data', (bytes) => {
        socket.destroy();
        resolve(bytes.toString().split('\r\n')[0] ?? '');
      });
    });
  expect(await answerTo('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
  expect(await answerTo('GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 4\d\d/);
});
