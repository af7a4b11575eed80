import {
  busConformance,
  conformanceContexts,
  conformanceRetryDelay,
  eventStoreConformance,
} from '@tender/eventing/testing';
import {
  embeddedBus,
  postgresEventStore,
  postgresReadModels,
  sharedPostgresEventStore,
} from './index';
import { patient, silentLog, systemClock } from './testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from './testing/test-postgres';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

async function openStore(connectionString: string, make = postgresEventStore) {
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
