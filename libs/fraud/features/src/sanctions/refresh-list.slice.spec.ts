import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorSources } from '@tender/adapter-outbound';
import { screenPayment } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';
import { fraudStage } from '../testing/fraud-stage';
import { newOrder } from '../testing/order';
import { currentList } from './import-list';
import { LOOKS, RefreshList } from './refresh-list.worker';
import { SAMPLE_LIST } from './sample-list';

const DAY_MS = 24 * 60 * 60 * 1000;
const LISTED = '6HyMjBe695LZU9M2mV4Hxpf5n9MtmQ9t7EQGnDNNKEXv';
const OTHER = 'So1anaWa11etThatANewerListNamesAndNoOther11';
const sample = SAMPLE_LIST.bytes.toString();
const newer = sample.replace(LISTED, OTHER).replace('<Day>5</Day>', '<Day>6</Day>');
const OFTEN = { file_ms: 5, url_ms: 5, retry_ms: 60_000 };

let stage: ContextStage;
let worker: RefreshList;
let folder: string;
let skipped_ms: number;
let asked = 0;
beforeEach(async () => {
  stage = await fraudStage();
  folder = mkdtempSync(join(tmpdir(), 'tender-list-'));
  skipped_ms = 0;
  const { clock } = stage.runtime;
  const wall = clock.wall.bind(clock);
  clock.wall = () => wall() + skipped_ms;
});
afterEach(async () => {
  await worker.stop();
  await stage?.close();
  rmSync(folder, { recursive: true });
});

/** As the leader of fraud, which looks at the place as often as that; answers how often it was sent the bytes. */
async function leading(place: string): Promise<() => number> {
  const { runtime } = stage;
  const from = operatorSources(runtime.clock);
  let read = 0;
  const sources: typeof from = {
    async open(...place_and_seen) {
      const opened = await from.open(...place_and_seen);
      if (opened.chunks !== null) read += 1;
      return opened;
    },
  };
  worker = new RefreshList({ ...runtime, sources }, place, OFTEN);
  await worker.start();
  return () => read;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}
const inForce = () => currentList(stage.runtime);
const screens = async () => {
  const { sanctions } = stage.app.get<Screener>(SCREENER).memory;
  await sanctions.copy.upToDate();
  asked += 1;
  const by = { mode: 'live', correlation_id: 'x', command_id: `c-${asked}` } as const;
  const verdict = await stage.runtime.calls.ask(screenPayment, newOrder(), by);
  return verdict.ok ? verdict.value.action : verdict.refusal;
};

test('a file is looked at each minute, and a URL more often than a list may be old', () => {
  expect(LOOKS.file_ms).toBeLessThanOrEqual(60_000);
  expect(LOOKS.url_ms).toBeLessThanOrEqual(6 * 60 * 60 * 1000);
  worker = new RefreshList(stage.runtime, null);
});

test('a file that is written anew ends the refusal of live payments by itself, and is read once', async () => {
  const file = join(folder, 'list.xml');
  writeFileSync(file, newer);
  const read = await leading(file);
  await until(async () => (await inForce())?.issued_on === '2026-01-06');
  const before = await inForce();
  skipped_ms = DAY_MS + 60_000;
  expect(await screens()).toBe('screening_unavailable');
  skipped_ms = DAY_MS - 60_000;

  // A file cannot be written tomorrow: only its age is looked at below.
  writeFileSync(`${file}.new`, newer);
  renameSync(`${file}.new`, file);
  await until(async () => (await inForce())?.as_of !== before?.as_of);
  expect(await inForce()).toMatchObject({ list_id: before?.list_id, sha256: before?.sha256 });
  expect([read(), await screens()]).toEqual([2, 'pass']);
});

test('a broken file is read again once it is replaced, and not before', async () => {
  const file = join(folder, 'list.xml');
  writeFileSync(file, newer.slice(0, -200));
  const read = await leading(file);
  await until(async () => read() > 0);
  for (let look = 0; look < 20; look += 1) await sleep(5);
  expect([read(), (await inForce())?.issued_on]).toEqual([1, '2026-01-05']);
  writeFileSync(file, newer);
  await until(async () => (await inForce())?.issued_on === '2026-01-06');
});

test('a URL’s list is confirmed by its ETag and not sent again; another one is', async () => {
  let text = newer;
  const tag = () => `"${text.length}"`;
  const server = http.createServer(({ headers }, response) => {
    response.setHeader('ETag', tag());
    if (headers['if-none-match'] === tag()) response.writeHead(304).end();
    else response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.xml`;
  const read = await leading(url);
  await until(async () => (await inForce())?.issued_on === '2026-01-06');
  const { as_of: imported_at = '' } = (await inForce()) ?? {};
  skipped_ms = 2 * DAY_MS;
  await until(async () => Date.parse((await inForce())?.as_of ?? '') > Date.parse(imported_at) + DAY_MS);
  expect([read(), await screens()]).toEqual([1, 'pass']);

  text = newer.replace('<Day>6</Day>', '<Day>7</Day>').replace(OTHER, `${OTHER}1`);
  await until(async () => (await inForce())?.issued_on === '2026-01-07');
  expect(read()).toBe(2);
  // Lost rows are noticed, and the list is sent for again.
  await stage.runtime.readModels.query('delete from fraud.sanctioned_wallets');
  await until(async () => {
    const rows = await stage.runtime.readModels.query('select 1 from fraud.sanctioned_wallets');
    return rows.length > 0;
  });
  server.close();
  server.closeAllConnections();
});
