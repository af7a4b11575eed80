import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { run } from '../run';
import type { Terminal } from '../terminal/terminal';

interface Asked {
  readonly key: string | undefined;
  readonly webhook_url: string | null;
}

/** As much of the API as the command uses; the story of it runs against the program. */
let answer: { status: number; body: object | string };
/** To the request that turns webhooks off, where it is another. */
let answer_at_end: typeof answer | null;
let asked: Asked[];
let said: string[];
let complaints: string[];
let folder: string;
let url: string;
const api = http.createServer((request, response) => {
  void json(request).then((body) => {
    const { webhook_url } = body as Asked;
    asked.push({ key: request.headers.authorization, webhook_url });
    const { status, body: answered } = (webhook_url === null && answer_at_end) || answer;
    response.writeHead(status, { 'retry-after': '7' });
    response.end(typeof answered === 'string' ? answered : JSON.stringify(answered));
  });
});

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tender-listen-'));
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => api.close(resolve));
});
beforeEach(() => {
  answer = { status: 200, body: { webhook_secret: 'whsec_1' } };
  answer_at_end = null;
  [asked, said, complaints] = [[], [], []];
});

/** Ends what was begun as soon as it listens, as Ctrl-C would. */
async function listen(line: string, env: NodeJS.ProcessEnv = {}, is_terminal = true) {
  let interrupt = (): void => undefined;
  const terminal: Terminal = {
    ...{ is_terminal, can_ask: false, colours: false, width: Infinity },
    say: (text) => {
      said.push(text);
      interrupt();
    },
    complain: (text) => void complaints.push(text),
    ask: () => Promise.reject(new Error('nothing is asked')),
    draw: () => undefined,
    now: () => performance.now(),
    onInterrupt: (listener) => {
      interrupt = listener;
    },
  };
  const settings = { TENDER_URL: url, TENDER_API_KEY: 'svc_test_1', DATA_DIR: folder, ...env };
  return run(['listen', ...line.split(' ').filter(Boolean)], settings, terminal);
}

test('it takes the place of the webhook URL, and gives it up at the end', async () => {
  expect(await listen('--forward-to http://localhost:3000/hooks')).toBe(0);
  expect(asked).toEqual([
    { key: 'Bearer svc_test_1', webhook_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/) },
    { key: 'Bearer svc_test_1', webhook_url: null },
  ]);
  expect(said.join('\n')).toMatch(/whsec_1\n.*localhost:3000[^]*Ctrl-C[^]*Webhooks are off; 0 came\.\nNext:/);
});

test('without a terminal it speaks JSON', async () => {
  expect(await listen('', {}, false)).toBe(0);
  expect(said.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ phase: 'listening', url: asked[0]?.webhook_url, webhook_secret: 'whsec_1' }),
    expect.objectContaining({ phase: 'ended', deliveries: 0 }),
  ]);
});

test('the key is that of the demo merchant unless there is another', async () => {
  writeFileSync(path.join(folder, 'demo.json'), JSON.stringify({ api_key: 'svc_test_demo' }));
  await listen('', { TENDER_API_KEY: '' });
  await listen('--key svc_test_2');
  const keys = ['svc_test_demo', 'svc_test_2'].map((key) => `Bearer ${key}`);
  expect(asked.map(({ key }) => key)).toEqual([keys[0], keys[0], keys[1], keys[1]]);
});

test.each([
  ['a key that is refused', 401, { error: 'Not known.' }, /refuses this key\. .*TENDER_API_KEY/],
  ['no loopback', 400, { error: 'webhook_url must begin with https://' }, /WEBHOOK_ALLOW_LOOPBACK=true/],
  ['too many requests', 429, { error: 'Later.' }, /in 7 s/],
  ['a fault', 503, { error: 'Not now.' }, /503: Not now\./],
  ['another program', 200, '<html>', /is not Tender/],
  ['another API', 200, {}, /is not Tender/],
])('of %s it says a sentence with the way out', async (_, status, body, sentence) => {
  answer = { status, body };
  expect(await listen('')).toBe(1);
  expect(complaints).toEqual([expect.stringMatching(sentence)]);
  expect(complaints.join()).not.toContain('svc_test_1');
});

test.each([
  ['nothing at that address', '', { TENDER_URL: 'http://127.0.0.1:1' }, /\(ECONNREFUSED\)\. Start it/, 1],
  ['a live key', '--key svc_live_1', {}, /needs a test key/, 1],
  ['no key', '', { TENDER_API_KEY: '', DATA_DIR: '/nowhere' }, /There is no key: give --key/, 1],
  ['an address without http', '--forward-to localhost:3000', {}, /like http:\/\/localhost:3000\/webhooks/, 2],
  ['an option that is none', '--events a', {}, /--events/, 2],
  ['a word too much', 'here', {}, /here/, 2],
])('with %s it says a sentence with the way out', async (_, line, env, sentence, code) => {
  expect(await listen(line, env)).toBe(code);
  expect(complaints[0]).toMatch(sentence);
  expect(asked).toEqual([]);
});

test('where it cannot give the URL up, it says what is left', async () => {
  answer_at_end = { status: 503, body: { error: 'Not now.' } };
  expect(await listen('')).toBe(1);
  expect(complaints).toEqual([expect.stringMatching(/503: Not now\. Webhooks still go to http.*run this again/)]);
});
