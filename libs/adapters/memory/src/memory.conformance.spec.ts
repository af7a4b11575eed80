import {
  busConformance,
  CONFORMANCE_RETRY_DELAY_MS,
  conformanceContexts,
  eventStoreConformance,
} from '@tender/eventing/testing';
import { memoryBus, memoryEventStore, type MemoryRecords } from './index';

eventStoreConformance('memory', () => {
  const store = memoryEventStore();
  return Promise.resolve({
    store,
    reopen: () => Promise.resolve(store),
    others: (count) => Promise.resolve(Array.from({ length: count }, () => store)),
    close: () => store.close(),
  });
});

busConformance('memory', () => {
  const store = memoryEventStore();
  const records: MemoryRecords = new Map();
  const wall = () => performance.timeOrigin + performance.now();
  const open = () =>
    memoryBus({
      eventStore: store,
      contexts: conformanceContexts,
      clock: { now: wall, wall },
      records,
      retry_delay_ms: () => CONFORMANCE_RETRY_DELAY_MS,
    });
  let bus = open();
  return Promise.resolve({
    store,
    bus,
    async reopen() {
      await bus.close();
      bus = open();
      return bus;
    },
    async close() {
      await bus.close();
      await store.close();
    },
  });
});
