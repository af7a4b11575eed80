import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from '../run';
import type { Terminal } from '../terminal/terminal';

const LOGIN = 'shop:pass';

interface Asked {
  readonly key: string | undefined;
  readonly webhook_url: string | null;
}

/** As much of the API as the command uses; the story of it runs against the program. */
let answer: { status: number; body: object | string };
/** To what is asked at the end, where it is another. */
let answer_at_end: typeof answer | null;
/** Where webhooks go. */
let webhook_url: string | null;
/** What others do before the end. */
let meanwhile: () => void;
/** Each request for another URL. */
let asked: Asked[];
let said: string[];
let complaints: string[];
let folder: string;
let url: string;
const api = http.createServer((request, response) => {
  void (async () => {
    const is_test = request.method === 'POST';
    const body = await text(request);
    if (!is_test) asked.push({ key: request.headers.authorization, ...(JSON.parse(body) as Pick<Asked, 'webhook_url'>) });
    const { status, body: answered } = is_test ? (answer_at_end ?? (await answerToTest())) : answer;
    if (!is_test && status === 200) webhook_url = asked.at(-1)?.webhook_url ?? null;
    response.writeHead(status, { 'retry-after': '7' });
    response.end(typeof answered === 'string' ? answered : JSON.stringify(answered));
  })();
});

/** After the attempt, as Tender. */
async function answerToTest(): Promise<typeof answer> {
  if (webhook_url === null) return { status: 409, body: { code: 'webhook_not_configured', error: 'No URL.' } };
  const headers = { 'x-svc-event': 'WebhookTest' };
  const success = await fetch(webhook_url, { method: 'POST', headers }).then(({ ok }) => ok, () => false);
  return { status: 200, body: { success } };
}

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
  answer_at_end = webhook_url = null;
  meanwhile = () => undefined;
  [asked, said, complaints] = [[], [], []];
});

/** Ends what was begun as soon as it listens, as Ctrl-C would. */
async function listen(line: string, env: NodeJS.ProcessEnv = {}, is_terminal = true) {
  let interrupt = (): void => undefined;
  const terminal: Terminal = {
    ...{ is_terminal, can_ask: false, colours: false, width: Infinity },
    say: (line) => {
      said.push(line);
      meanwhile();
      interrupt();
    },
    complain: (complaint) => void complaints.push(complaint),
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

test.each([
  ['another URL that was set meanwhile stays', 'http://127.0.0.1:1/', /another URL by now, which stays as it is; 0 came/],
  ['webhooks that were turned off meanwhile stay off', null, /Webhooks are off; 0 came/],
])('%s', async (_, other, sentence) => {
  meanwhile = () => {
    webhook_url = other;
  };
  expect(await listen('')).toBe(0);
  expect([webhook_url, asked.length]).toEqual([other, 1]);
  expect(said.join('\n')).toMatch(sentence);
});

test('without a terminal it speaks JSON', async () => {
  expect(await listen('', {}, false)).toBe(0);
  expect(said.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ phase: 'listening', url: asked[0]?.webhook_url, webhook_secret: 'whsec_1' }),
    expect.objectContaining({ phase: 'ended', deliveries: 0, webhooks: 'off' }),
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
  ['an address that was set without http', '', { TENDER_URL: '127.0.0.1:8080' }, /TENDER_URL is .* like http:/, 2],
  ['a port that is none', '', { TENDER_URL: '', PORT: 'abc' }, /PORT is "abc"; it takes a port/, 1],
  ['a login', `--forward-to http://${LOGIN}@localhost:3000`, {}, /--forward-to holds a login, .*before the @/, 2],
  ['a login without http', `--url ${LOGIN}@localhost:3000`, {}, /--url holds a login/, 2],
  ['a key of other letters', '--key svc_test_é☕', {}, /^tender: The key is empty, or holds/, 1],
  ['a key with a line break', '', { TENDER_API_KEY: 'svc_test_pass\n' }, /^tender: The key is empty, or holds/, 1],
  ['an option that is none', '--events a', {}, /--events/, 2],
  ['a word too much', 'here', {}, /here/, 2],
])('with %s it says a sentence with the way out', async (_, line, env, sentence, code) => {
  expect(await listen(line, env)).toBe(code);
  expect(complaints[0]).toMatch(sentence);
  expect(complaints.join()).not.toContain('pass');
  expect(asked).toEqual([]);
});

test('of a demo merchant that cannot be read it says which file that is', async () => {
  const file = path.join(folder, 'demo.json');
  writeFileSync(file, '');
  expect(await listen('', { TENDER_API_KEY: '' })).toBe(1);
  expect(complaints).toEqual([expect.stringMatching(/^tender: .*demo\.json, which keeps .* is empty or damaged: delete it, .* up\.$/)]);
});

test('where it cannot give the URL up, it says what is left', async () => {
  answer_at_end = { status: 503, body: { error: 'Not now.' } };
  expect(await listen('')).toBe(1);
  expect(complaints).toEqual([expect.stringMatching(/503: Not now\. Webhooks may still go to http.*run this again/)]);
});
