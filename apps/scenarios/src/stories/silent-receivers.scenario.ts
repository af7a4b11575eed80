/** @landing postgres */
// The gateway waits for the dispatcher, and the dispatcher for receivers that merchants name: the waits of a few
// merchants must leave room to all others, and no merchant pays for a test that was not sent.
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Receiver } from '../harness/receiver';
import { sharedProgram } from '../harness/running-program';

const TEST = '/api/v1/merchants/me/webhook/test';
const TESTS_PER_HOUR = 10;
const MERCHANTS = 6;
/** Of each merchant at once, in one process of the dispatcher. */
const PLACES = 2;

const program = sharedProgram();
let receiver: Receiver;
/** Requests that wait for the receiver now, by path: each merchant has one. */
let waiting: Map<string, number>;
let most: number;

beforeEach(async () => {
  [waiting, most] = [new Map(), 0];
  receiver = await Receiver.start();
  receiver.answerWith(({ path }, response) => {
    const now = (waiting.get(path) ?? 0) + 1;
    waiting.set(path, now);
    most = Math.max(most, now);
    response.once('close', () => waiting.set(path, (waiting.get(path) ?? 0) - 1));
  });
});
afterEach(() => receiver.close());

const shops = (settings: readonly object[]): Promise<Merchant[]> =>
  Promise.all(settings.map((extra) => newMerchant(program, extra)));

test('six merchants that test silent receivers wait alone, and are counted for what was sent', async () => {
  const paths = Array.from({ length: MERCHANTS }, (_, at) => `/silent-${at}`);
  const silent = await shops(paths.map((path) => ({ webhook_url: receiver.url + path })));
  const others = await shops(paths.map(() => ({})));
  const asked = silent.map(({ api }) =>
    Promise.all(Array.from({ length: TESTS_PER_HOUR }, () => api.once().post(TEST))),
  );
  const all_wait = async () => paths.map((path) => waiting.get(path) ?? 0);
  await eventually(all_wait, (each) => each.every((count) => count >= PLACES));

  await Promise.all(
    others.map(async ({ api }) => {
      expect((await api.get('/api/v1/payments')).status).toBe(200);
      expect((await api.post('/api/v1/payments', { amount: 1 })).status).toBe(200);
    }),
  );
  await receiver.close();
  const answered: number[] = [];
  for (const answers of await Promise.all(asked)) {
    const sent = answers.filter(({ status }) => status === 200);
    // On a slow machine the gateway has given up one that waits: that is a 503 as well, and not counted either.
    expect(sent.length).toBeLessThanOrEqual(PLACES);
    expect(sent.map(({ json }) => json.success)).toEqual(sent.map(() => false));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBe(TESTS_PER_HOUR - sent.length);
    expect(refused.map(({ json }) => json.code)).toEqual(refused.map(() => 'service_unavailable'));
    answered.push(sent.length);
  }
  expect(most).toBe(PLACES);
  for (const [at, { api }] of silent.entries()) {
    const { status, headers } = await api.post(TEST);
    const remaining = TESTS_PER_HOUR - (answered[at] ?? 0) - 1;
    expect([status, headers['x-ratelimit-remaining']]).toEqual([200, String(remaining)]);
  }
});
