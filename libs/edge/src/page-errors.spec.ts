import { codeIds, newId } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { EdgeStage, paymentId } from './testing/edge-stage';

const CODE = newId(codeIds, 'test', Buffer.alloc(16, 7));
const LINK = `/l/${CODE}`;
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'fr' };
const policy = "default-src 'none'";

const stage = new EdgeStage({
  handlers: { readLinkPage: () => { throw new Unavailable('payments'); } },
  error_page: (trouble) => ({ html: `<html>${JSON.stringify(trouble)}`, policy }),
});
type Method = 'GET' | 'POST' | 'PUT';
const ask = (url: string, headers: object = BROWSER, method: Method = 'GET') =>
  stage.server.inject({ method, url, headers: { ...headers } });
const told = ({ body }: { readonly body: string }) => JSON.parse(body.replace('<html>', '')) as object;

test('a browser that asked for a page gets the error as one, under its policy, with status and headers as they were', async () => {
  const answer = await ask(`${LINK}?lang=en`);
  expect(answer.statusCode).toBe(503);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy,
    'retry-after': '2', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff',
  });
  const correlation_id = answer.headers['x-correlation-id'];
  expect(told(answer)).toEqual({ status: 503, retry_after: 2, correlation_id, lang: 'en', accept_language: 'fr' });
});

test('so does one whose method, form or address is refused before a handler', async () => {
  const form = { ...BROWSER, 'content-type': 'text/plain' };
  const asked = await Promise.all([
    ask(LINK, BROWSER, 'PUT'),
    stage.server.inject({ method: 'POST', url: LINK, headers: form, payload: 'a' }),
    ask('/l/nothing', BROWSER, 'POST'),
    ask(`${LINK}%0a`),
  ]);
  expect(asked.map(({ statusCode }) => statusCode)).toEqual([405, 415, 404, 400]);
  expect(asked[0]?.headers.allow).toBe('GET, HEAD, POST');
  for (const answer of asked) expect(answer.headers['content-type']).toMatch('text/html');
});

test('an error page tells a client that asked too often when to come again', async () => {
  const id = paymentId('busy');
  const look = () => ask(`/p/${id}`, BROWSER, 'POST');
  let answer = await look();
  while (answer.statusCode !== 429) answer = await look();
  expect(told(answer)).toMatchObject({ status: 429, retry_after: Number(answer.headers['retry-after']) });
});

test('other clients and other routes have their JSON', async () => {
  const asked = await Promise.all([ask(LINK, {}), ask(LINK, { accept: '*/*' }), ask('/api/v1/payments'), ask('/nothing')]);
  expect(asked.map(({ statusCode }) => statusCode)).toEqual([503, 503, 401, 404]);
  for (const { headers } of asked) expect(headers['content-type']).toMatch('application/json');
});

test('what is well is left alone', async () => {
  expect((await ask(`/p/${paymentId('well')}`)).statusCode).toBe(200);
});

describe('a slash too many', () => {
  test.each([
    [`${LINK}/`, LINK],
    [`${LINK}//?lang=fr`, `${LINK}?lang=fr`],
    ['/p/x/', '/p/x'],
  ])('%s leads to %s', async (url, address) => {
    const { statusCode, headers } = await ask(url);
    expect([statusCode, headers.location]).toEqual([308, address]);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': expect.any(String), 'cache-control': 'no-store' });
  });

  test.each(['//l/x/', '/l//', '/l/a/b/', '/api/v1/payments/', '/checkout/assets/a.js/', '//evil.example/'])('%s leads nowhere', async (url) => {
    expect((await ask(url)).statusCode).not.toBe(308);
  });
});
