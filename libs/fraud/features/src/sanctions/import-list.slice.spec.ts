import { createHash } from 'node:crypto';
import type { Sources } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';
import { fraudStage } from '../testing/fraud-stage';
import { currentList, importList } from './import-list';
import { RefreshList } from './refresh-list.worker';
import { SAMPLE_LIST } from './sample-list';

const sample = SAMPLE_LIST.bytes.toString();
const LISTED = '6HyMjBe695LZU9M2mV4Hxpf5n9MtmQ9t7EQGnDNNKEXv';
const OTHER = 'So1anaWa11etThatANewerListNamesAndNoOther11';
const newer = sample.replace(LISTED, OTHER).replace('<Day>5</Day>', '<Day>6</Day>');

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += 500) yield Buffer.from(text.slice(at, at + 500));
}
async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(newer.slice(0, -200));
  throw new Error('the connection was closed');
}

let stage: ContextStage;
let screener: Screener;
beforeEach(async () => {
  stage = await fraudStage();
  screener = stage.app.get<Screener>(SCREENER);
});
afterEach(() => stage?.close());

const known = async () => {
  const { sanctions } = screener.memory;
  await sanctions.copy.upToDate();
  return [sanctions.has(LISTED), sanctions.has(OTHER)];
};
const rows = () => stage.runtime.readModels.query('select wallet from fraud.sanctioned_wallets');

test('a newer list takes the place of the one before, in one step, for every replica', async () => {
  expect(await known()).toEqual([true, false]);
  const as_of = '2026-01-06T08:00:00.000Z';
  const { list } = await importList(stage.runtime, { chunks: bytesOf(newer), as_of });
  const sha256 = createHash('sha256').update(newer).digest('hex');
  expect(list).toMatchObject({ sha256, issued_on: '2026-01-06', as_of, wallets: 4 });
  expect(await known()).toEqual([false, true]);
  const replica = new Screener(stage.runtime);
  await replica.memory.sanctions.copy.ready();
  expect(replica.memory.sanctions.has(OTHER)).toBe(true);
  await replica.close();
});

test.each([
  ['half a file', () => bytesOf(newer.slice(0, newer.length / 2))],
  ['a connection that breaks off', brokenOff],
  [
    'a list without addresses',
    () => bytesOf(newer.replaceAll(/<VersionDetail.*<\/VersionDetail>/g, '')),
  ],
])('%s changes nothing and leaves nothing behind', async (_, chunks) => {
  const [before, kept] = [await currentList(stage.runtime), await rows()];
  const as_of = '2026-02-01T00:00:00.000Z';
  await expect(importList(stage.runtime, { chunks: chunks(), as_of })).rejects.toThrow();
  expect(await currentList(stage.runtime)).toEqual(before);
  expect(await known()).toEqual([true, false]);
  expect(await rows()).toEqual(kept);
});

test('the same list again is only fresher; of old lists no row is left but of the last', async () => {
  for (const [text, as_of] of [
    [newer, '2026-01-06T08:00:00.000Z'],
    [newer, '2026-01-06T20:00:00.000Z'],
    [newer.replace(OTHER, LISTED), '2026-01-07T08:00:00.000Z'],
  ] as const) {
    await importList(stage.runtime, { chunks: bytesOf(text), as_of });
  }
  expect(await currentList(stage.runtime)).toMatchObject({ as_of: '2026-01-07T08:00:00.000Z' });
  expect(await rows()).toHaveLength(8);
  expect(await known()).toEqual([true, false]);
});

test('an import that is overtaken by a newer list leaves that one whole', async () => {
  async function* overtaken(): AsyncGenerator<Uint8Array> {
    yield* bytesOf(sample.replace('<Day>5</Day>', '<Day>4</Day>'));
    await importList(stage.runtime, { chunks: bytesOf(newer), as_of: '2026-01-06T09:00:00.000Z' });
  }
  const as_of = '2026-01-06T08:00:00.000Z';
  await importList(stage.runtime, { chunks: overtaken(), as_of }).catch(() => undefined);
  expect(await known()).toEqual([false, true]);
  const replica = new Screener(stage.runtime);
  await replica.memory.sanctions.copy.ready();
  expect(replica.memory.sanctions.has(OTHER)).toBe(true);
  await replica.close();
});

test('one whose rows another import has taken away is not told as if it were whole', async () => {
  async function* robbed(): AsyncGenerator<Uint8Array> {
    const many = Array.from(
      { length: 1_000 },
      (_, index) => `<VersionDetail>robbed-${index}</VersionDetail>`,
    ).join('');
    const [head = '', tail = ''] = newer.split(/(?=<\/FeatureVersion>\s*<\/Feature>\s*<\/Profile>)/);
    yield Buffer.from(head + many);
    await stage.runtime.readModels.query(
      `delete from fraud.sanctioned_wallets where wallet like 'robbed-%'`,
    );
    yield Buffer.from(tail);
  }
  const before = await currentList(stage.runtime);
  const as_of = '2026-02-01T00:00:00.000Z';
  await expect(importList(stage.runtime, { chunks: robbed(), as_of })).rejects.toThrow('its place');
  expect(await currentList(stage.runtime)).toEqual(before);
});

test('a list whose rows are lost is whole again with the next import of the same file', async () => {
  await importList(stage.runtime, { chunks: bytesOf(newer), as_of: '2026-01-06T08:00:00.000Z' });
  await stage.runtime.readModels.query('delete from fraud.sanctioned_wallets');
  await importList(stage.runtime, { chunks: bytesOf(newer), as_of: '2026-01-06T20:00:00.000Z' });
  const replica = new Screener(stage.runtime);
  await replica.memory.sanctions.copy.ready();
  expect(replica.memory.sanctions.has(OTHER)).toBe(true);
  await replica.close();
});

test('the worker imports what the setting names, and goes on with what it has when that fails', async () => {
  const opened: string[] = [];
  let text: string | null = newer;
  const sources: Sources = {
    async open(place) {
      opened.push(place);
      if (text === null) throw new Error('no such file');
      return { chunks: bytesOf(text), as_of_ms: stage.runtime.clock.wall(), version: null };
    },
  };
  const refreshed = async () => {
    const worker = new RefreshList({ ...stage.runtime, sources }, 'https://list.test/sdn.xml');
    const before = opened.length;
    await worker.start();
    await worker.attempted();
    expect(opened.length).toBe(before + 1);
    await worker.stop();
  };
  await refreshed();
  expect(await known()).toEqual([false, true]);
  expect(screener.memory.sanctions.age()).toBe('fresh');
  text = null;
  await refreshed();
  expect(await known()).toEqual([false, true]);
  expect(opened).toEqual(['https://list.test/sdn.xml', 'https://list.test/sdn.xml']);
});
