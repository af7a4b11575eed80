import { measuredPorts, type Calls } from '@tender/eventing';
import { conformanceContexts, recordedTelemetry, sampleEvent } from '@tender/eventing/testing';
import { embeddedBus, postgresEventStore, postgresReadModels } from '../index';
import { patient, silentLog as log, systemClock as clock } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

test('what is parked is counted from its table: what waits for an operator, and what does not', async () => {
  const connectionString = await server.database();
  const eventStore = postgresEventStore({ connectionString, clock, log, ...patient });
  await eventStore.start();
  const contexts = conformanceContexts;
  const schemas = contexts.map(({ schema }) => schema);
  const readModels = postgresReadModels({ connectionString, schemas, migrations: [], log });
  await readModels.start();
  const { telemetry, read } = recordedTelemetry();
  const retry_delay_ms = () => 1;
  const bus = embeddedBus({ eventStore, readModels, contexts, clock, log, retry_delay_ms });
  const calls = {} as Calls;
  const ports = measuredPorts({ eventStore, bus, calls, readModels, contexts, clock, telemetry });
  const parked = async () =>
    Object.fromEntries(
      (await read('tender_parked_messages')).map(({ value, labels: { consumer, mode, state } }) => [
        `${consumer} ${mode} ${state}`,
        value,
      ]),
    );

  const consumer = await ports.bus.consume({
    consumer: 'readers.refuse-notes',
    types: ['notes.noted.v1'],
    handler: (batch) =>
      batch.some(({ mode }) => mode === 'test')
        ? Promise.reject(new Error('not this one'))
        : Promise.resolve(),
  });
  for (const stream of ['note.test-a', 'note.live-a'] as const) {
    await ports.eventStore.append(stream, [sampleEvent(stream)], 'no_stream');
  }
  const second = [sampleEvent('note.test-a')];
  await ports.eventStore.append('note.test-a', second, 0);
  await consumer.idle();
  // After five tries the first one waits for an operator, and the second one for the first.
  while ((await parked())['readers.refuse-notes test waiting'] !== 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await parked()).toEqual({
    'readers.refuse-notes test waiting': 1,
    'readers.refuse-notes test retrying': 1,
    'readers.refuse-notes live waiting': 0,
    'readers.refuse-notes live retrying': 0,
  });

  await consumer.stop();
  expect(await parked()).toEqual({});
  await bus.close();
  await readModels.close();
  await eventStore.close();
});
