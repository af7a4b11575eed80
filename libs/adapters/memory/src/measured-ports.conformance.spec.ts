import { measuredPorts, Unavailable, type Calls, type ReadModels } from '@tender/eventing';
import { call } from '@tender/kernel';
import {
  busConformance,
  conformanceRetryDelay,
  conformanceContexts,
  eventStoreConformance,
  recordedTelemetry,
  sampleEvent,
} from '@tender/eventing/testing';
import { memoryBus, memoryEventStore, type MemoryRecords } from './index';

const wall = (): number => performance.timeOrigin + performance.now();
const clock = { now: wall, wall };
const readModels = { query: () => Promise.resolve([]) } as unknown as ReadModels;
const calls: Calls = {
  answer: () => undefined,
  ask: ({ name }) => Promise.reject(new Unavailable(name)),
};
const contexts = conformanceContexts;

/** The ports as the program gets them with telemetry on: they must behave as with telemetry off. */
function measured(eventStore = memoryEventStore(), records: MemoryRecords = new Map()) {
  const retry_delay_ms = conformanceRetryDelay;
  const bus = memoryBus({ eventStore, contexts, clock, records, retry_delay_ms });
  const recorded = recordedTelemetry();
  const { telemetry } = recorded;
  const ports = measuredPorts({ eventStore, bus, calls, readModels, contexts, clock, telemetry });
  return { eventStore, records, ports, recorded, close: () => bus.close() };
}

eventStoreConformance('memory, measured', () => {
  const { eventStore, ports } = measured();
  return Promise.resolve({
    store: ports.eventStore,
    reopen: () => Promise.resolve(ports.eventStore),
    close: () => eventStore.close(),
  });
});

busConformance('memory, measured', () => {
  let opened = measured();
  return Promise.resolve({
    store: opened.ports.eventStore,
    bus: opened.ports.bus,
    async reopen() {
      await opened.close();
      opened = measured(opened.eventStore, opened.records);
      return opened.ports.bus;
    },
    async close() {
      await opened.close();
      await opened.eventStore.close();
    },
  });
});

test('appends and consumers add spans to the trace of their request', async () => {
  const { eventStore, ports, recorded, close } = measured();
  const consumer = await ports.bus.consume({
    consumer: 'readers.count-notes',
    types: ['notes.noted.v1'],
    handler: () => Promise.resolve(),
  });
  const event = sampleEvent('note.test-a', { note: 'secret' });
  await ports.eventStore.append('note.test-a', [event], 'no_stream');
  await ports.eventStore.append('note.test-a', [sampleEvent('note.test-a')], 'no_stream');
  await consumer.idle();

  const { correlation_id } = event.metadata;
  const mine = recorded.spans.filter((span) => span.correlation_id === correlation_id);
  expect(mine.map(({ name, failed }) => [name, failed])).toEqual([
    ['append note', false],
    ['react readers.count-notes', false],
  ]);
  expect(JSON.stringify(recorded.spans)).not.toContain('secret');
  const outcomes = recorded.of('tender_append_seconds').map(([labels]) => labels);
  expect(outcomes).toEqual([
    { noun: 'note', outcome: 'appended' },
    { noun: 'note', outcome: 'stale' },
  ]);
  await close();
  await eventStore.close();
});

test('a question that is not answered is counted as such, and its error stays what it was', async () => {
  const { eventStore, ports, recorded, close } = measured();
  const asking = { mode: 'test', correlation_id: 'c-1' } as const;
  const asked = ports.calls.ask(call('notes.count', { deadline_ms: 10 }), {}, asking);
  await expect(asked).rejects.toThrow(Unavailable);
  const [[labels] = []] = recorded.of('tender_call_seconds');
  expect(labels).toEqual({ call: 'notes.count', outcome: 'failed' });
  await close();
  await eventStore.close();
});
