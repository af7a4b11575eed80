// Against the double, or against the server that EVENTSTORE_URL names.
import { eventStoreConformance } from '@tender/eventing/testing';
import type { EventStoreDb } from './index';
import { apart, buildDouble, makeStore, startDoubleOfTest, type DoubleOfTest } from './testing/store-of-test';

const given = process.env['EVENTSTORE_URL'];
const run = `t${process.pid}x${Math.trunc(performance.timeOrigin).toString(36)}`;
let made = 0;
let own: DoubleOfTest | null = null;
let url = given ?? '';

beforeAll(async () => {
  if (given) return;
  buildDouble();
  own = await startDoubleOfTest();
  url = own.double.connection_string;
});
afterAll(() => own?.end());

async function open(mark: string) {
  const store = makeStore(url);
  await store.start();
  return apart(store, mark);
}

eventStoreConformance('eventstoredb', async () => {
  made += 1;
  const mark = `${run}n${made}`;
  let store = await open(mark);
  const others: EventStoreDb[] = [];
  return {
    store,
    async others(count) {
      while (others.length < count) others.push(await open(mark));
      return others;
    },
    async reopen() {
      await store.close();
      store = await open(mark);
      return store;
    },
    async close() {
      for (const each of [store, ...others]) await each.close();
    },
  };
});
