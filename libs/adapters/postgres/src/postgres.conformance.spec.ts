import {
  busConformance,
  conformanceContexts,
  conformanceRetryDelay,
  eventStoreConformance,
} from '@tender/eventing/testing';
import {
  embeddedBus,
  handedEventStore,
  postgresEventStore,
  postgresReadModels,
  sharedPostgresEventStore,
  type LoneEventStore,
  type PostgresEventStore,
  type PostgresEventStoreOptions,
} from './index';
import { patient, silentLog, systemClock } from './testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from './testing/test-postgres';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

async function openStore<Store extends PostgresEventStore = LoneEventStore>(
  connectionString: string,
  make: (options: PostgresEventStoreOptions) => Store = postgresEventStore as never,
): Promise<Store> {
  const store = make({
    connectionString,
    clock: systemClock,
    log: silentLog,
    ...patient,
    // Small enough that followers also read from the table.
    recent_max: 64,
  });
  await store.start();
  return store;
}

eventStoreConformance('postgres', async () => {
  const url = await server.database();
  let store = await openStore(url);
  return {
    store,
    async reopen() {
      await store.close();
      store = await openStore(url);
      return store;
    },
    close: () => store.close(),
  };
});

eventStoreConformance('postgres, shared with a process that is idle', async () => {
  const url = await server.database();
  const idle = await openStore(url, sharedPostgresEventStore);
  let store = await openStore(url, sharedPostgresEventStore);
  return {
    store,
    async reopen() {
      await store.close();
      store = await openStore(url, sharedPostgresEventStore);
      return store;
    },
    async close() {
      await store.close();
      await idle.close();
    },
  };
});

eventStoreConformance('postgres, appends and followers of two processes', async () => {
  const url = await server.database();
  const other = await openStore(url, sharedPostgresEventStore);
  let store = await openStore(url, sharedPostgresEventStore);
  let turn = 0;
  // Every other append goes through the other one; followers have to hear of it.
  const both = (): typeof store => ({
    ...store,
    append: (...asked) => ((turn += 1) % 2 === 0 ? store : other).append(...asked),
  });
  return {
    store: both(),
    async reopen() {
      await store.close();
      store = await openStore(url, sharedPostgresEventStore);
      return both();
    },
    async close() {
      await store.close();
      await other.close();
    },
  };
});

eventStoreConformance('postgres, handed to another thread', async () => {
  const url = await server.database();
  const open = async () => {
    const lone = await openStore(url);
    // What threads tell each other arrives later than it was said, in its order, and as a copy.
    const later = <Said>(said: Said, hear: (heard: Said) => void) =>
      void setImmediate(() => hear(structuredClone(said)));
    const store = handedEventStore({
      connectionString: url,
      clock: systemClock,
      log: silentLog,
      recent_max: 64,
      writer: {
        append: async (...asked) => structuredClone(await lone.append(...asked)),
        newest: () => lone.newest(),
      },
    });
    await store.start();
    lone.onCommitted((events) => later(events, (heard) => store.committed(heard)));
    const beats = setInterval(() => later(lone.beat(), (heard) => store.beat(heard)), 50);
    const close = async () => {
      clearInterval(beats);
      await store.close();
      await lone.close();
    };
    return { store, close };
  };
  let opened = await open();
  return {
    store: opened.store,
    async reopen() {
      await opened.close();
      opened = await open();
      return opened.store;
    },
    close: () => opened.close(),
  };
});

busConformance('embedded', async () => {
  const url = await server.database();
  const store = await openStore(url);
  const openBus = async () => {
    const readModels = postgresReadModels({
      connectionString: url,
      schemas: conformanceContexts.map(({ schema }) => schema),
      migrations: [],
      log: silentLog,
      pool_max: 4,
    });
    await readModels.start();
    const bus = embeddedBus({
      eventStore: store,
      readModels,
      contexts: conformanceContexts,
      clock: systemClock,
      log: silentLog,
      retry_delay_ms: conformanceRetryDelay,
    });
    const close = async () => {
      await bus.close();
      await readModels.close();
    };
    return { bus, close };
  };
  let opened = await openBus();
  return {
    store,
    bus: opened.bus,
    async reopen() {
      await opened.close();
      opened = await openBus();
      return opened.bus;
    },
    async close() {
      await opened.close();
      await store.close();
    },
  };
});
