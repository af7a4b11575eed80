import { createHash } from 'node:crypto';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { operatorSources } from '@tender/adapter-outbound';
import { sanctionsHealth, screenPayment } from '@tender/contracts';
import { noTelemetry, type Telemetry } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';
import { fraudStage } from '../testing/fraud-stage';
import { newOrder } from '../testing/order';
import { currentList } from './import-list';
import { RefreshList } from './refresh-list.worker';
import { SAMPLE_LIST } from './sample-list';

const LISTED = '6HyMjBe695LZU9M2mV4Hxpf5n9MtmQ9t7EQGnDNNKEXv';
const OTHER = 'So1anaWa11etThatANewerListNamesAndNoOther11';
const sample = SAMPLE_LIST.bytes.toString();
const newer = sample.replace(LISTED, OTHER).replace('<Day>5</Day>', '<Day>6</Day>');

let stage: ContextStage;
let answer: RequestListener = (_, response) => response.end(newer);
let url: string;
let paused_ms = 0;
let asked = 0;
const complaints: object[] = [];
const gauges = new Map<string, Parameters<Telemetry['watch']>[1]>();
const server = http.createServer((request, response) => answer(request, response));

beforeAll(async () => {
  const watch: Telemetry['watch'] = (name, read) => {
    gauges.set(name, read);
    return () => void gauges.delete(name);
  };
  stage = await fraudStage({ ports: { telemetry: { ...noTelemetry, watch } } });
  const { clock } = stage.runtime;
  const wall = clock.wall.bind(clock);
  clock.wall = () => wall() + paused_ms;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sdn_advanced.xml`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await stage?.close();
});

/** As the leader of fraud begins with `SANCTIONS_LIST` set to the URL. */
async function refreshed(bounds: Parameters<typeof operatorSources>[1] = {}) {
  const { runtime } = stage;
  complaints.length = 0;
  const log = { ...runtime.log, error: (fields: object) => void complaints.push(fields) };
  const sources = operatorSources(runtime.clock, bounds);
  const worker = new RefreshList({ ...runtime, log, sources }, url);
  await worker.start();
  await worker.attempted();
  await worker.stop();
}

/** All that there is of lists: the one in force, and every row of the table. */
const held = async () => ({
  list: await currentList(stage.runtime),
  rows: await stage.runtime.readModels.query(
    'select list_id, wallet from fraud.sanctioned_wallets order by 1, 2',
  ),
});
const known = async () => {
  const { sanctions } = stage.app.get<Screener>(SCREENER).memory;
  await sanctions.copy.upToDate();
  return [sanctions.has(LISTED), sanctions.has(OTHER)];
};
const asking = (mode: 'test' | 'live') => ({ mode, correlation_id: 'x', command_id: `c-${(asked += 1)}` });
const health = () => stage.runtime.calls.ask(sanctionsHealth, {}, asking('live'));
const screens = async (mode: 'test' | 'live') => {
  const verdict = await stage.runtime.calls.ask(screenPayment, newOrder(), asking(mode));
  return verdict.ok ? verdict.value.action : verdict.refusal;
};

test('a list comes by its URL, and is in force as of when it was asked for', async () => {
  expect(await known()).toEqual([true, false]);
  const before = stage.runtime.clock.wall();
  await refreshed();
  const { list, rows } = await held();
  expect(list).toMatchObject({ issued_on: '2026-01-06', wallets: 4 });
  expect(Date.parse(list?.as_of ?? '')).toBeGreaterThanOrEqual(before);
  expect([complaints, rows.length, await known()]).toEqual([[], 8, [false, true]]);
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');
const many = `<Party>${'a'.repeat(1000)}</Party>`.repeat(100);

test.each<[string, RequestListener, RegExp]>([
  ['the server’s refusal', (_, to) => void to.writeHead(403).end(newer), /answered 403/],
  ['a page that says sorry', (_, to) => to.end('<html><body>Later</body></html>'), /begins with <html>/],
  ['what is no XML', (_, to) => to.end('{"Sanctions": []}'), /not well-formed XML/],
  ['nothing', (_, to) => to.end(), /cut|well-formed/],
  ['half a list', (_, to) => to.end(newer.slice(0, -200)), /cut|well-formed/],
  [
    'a connection that is cut',
    (_, to) => void to.write(newer.slice(0, -200), () => to.destroy()),
    /terminated|closed|aborted/,
  ],
  [
    'other bytes than their checksum is of',
    (_, to) => {
      to.setHeader('Content-Digest', `sha-256=:${sha256(sample)}:`);
      to.end(newer);
    },
    /SHA-256/,
  ],
  [
    'a list to inflate',
    (_, to) => {
      to.setHeader('Content-Encoding', 'gzip');
      to.end(gzipSync(newer));
    },
    /sends it as gzip/,
  ],
  ['a zip file', (_, to) => to.end(gzipSync(newer)), /UTF-8|well-formed/],
  [
    'a list that is longer than is read',
    (_, to) => to.end(newer.replace('</Sanctions>', `${many}</Sanctions>`)),
    /longer than 20000 bytes/,
  ],
  [
    'a way into the private network',
    (_, to) => void to.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end(),
    /redirects to http:\/\/169.254.169.254/,
  ],
  [
    'an older list than the one in force',
    (_, to) => to.end(sample),
    /the list is of 2026-01-05, older than the one in force, of 2026-01-06/,
  ],
  [
    'a list of a day to come',
    (_, to) => to.end(newer.replace('<Year>2026</Year>', '<Year>2926</Year>')),
    /dated 2926-01-06, which is still to come/,
  ],
])('%s leaves the list in force as it was, with its date, and the log says why', async (_, listener, reason) => {
  const before = await held();
  answer = listener;
  await refreshed({ bytes_max: 20_000 });
  expect(complaints).toEqual([
    { fault: expect.any(String) as string, reason: expect.stringMatching(reason) as string },
  ]);
  expect(await held()).toEqual(before);
  expect(await known()).toEqual([false, true]);
});

test('a server that never ends leaves it as well', async () => {
  const before = await held();
  answer = (_, to) => {
    to.write(newer.slice(0, -200));
    const trickle = setInterval(() => to.write(' '), 5);
    to.on('close', () => clearInterval(trickle));
  };
  await refreshed({ deadline_ms: 300 });
  expect(complaints).toMatchObject([{ reason: expect.stringContaining('within 0.3 s') as string }]);
  expect(await held()).toEqual(before);
});

test('its age is measured, and told once it refuses live payments; the next import ends that', async () => {
  const { list } = await held();
  const age_s = async () => {
    const [age] = (await gauges.get('tender_sanctions_list_age_seconds')?.()) ?? [];
    return age?.value ?? -1;
  };
  expect([await health(), await screens('live')]).toEqual([{ healthy: true, reason: null }, 'pass']);
  paused_ms += 25 * 60 * 60 * 1000;
  answer = (_, to) => void to.writeHead(500).end();
  await refreshed();
  expect((await health()).reason).toContain(`of 2026-01-06 was last confirmed at ${list?.as_of}`);
  expect(await age_s()).toBeGreaterThan(25 * 60 * 60);
  expect([await screens('live'), await screens('test')]).toEqual(['screening_unavailable', 'pass']);
  answer = (_, to) => to.end(newer);
  await refreshed();
  expect([await known(), await health()]).toEqual([[false, true], { healthy: true, reason: null }]);
  expect(await age_s()).toBeLessThan(25 * 60 * 60);
  expect(await screens('live')).toBe('pass');
});

test('the sample is stale where money is real, and that is said', async () => {
  const world = await fraudStage({
    ports: { chains: { test: { network: 'devnet' }, live: { network: 'mainnet-beta' } } as never },
  });
  const told = await world.runtime.calls.ask(sanctionsHealth, {}, asking('live'));
  expect(told).toEqual({ healthy: false, reason: expect.stringMatching(/2026-01-05 .* stale/) as string });
  await world.close();
});
