import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka, type RunningKafka } from '@tender/kafka-broker';
import { busConformance } from '@tender/eventing/testing';
import { startTestPostgres, type TestPostgres } from '../../postgres/src/testing/test-postgres';
import { openService, serviceLog } from './testing/service';

let server: TestPostgres;
let kafka: RunningKafka;
const folder = mkdtempSync(join(tmpdir(), 'tender-kafka-'));
beforeAll(async () => {
  [server, kafka] = await Promise.all([startTestPostgres(), startKafka({ dataDir: folder })]);
});
afterAll(async () => {
  await Promise.all([server.stop(), kafka.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

let systems = 0;

busConformance('kafka', async () => {
  systems += 1;
  const namespace = `c${process.pid}-${systems}.`;
  const database = await server.database();
  const store = await serviceLog(database);
  const open = () => openService({ store, database, namespace, brokers: kafka.brokers });
  let service = await open();
  return {
    store,
    bus: service.bus,
    async reopen() {
      await service.close();
      service = await open();
      return service.bus;
    },
    async close() {
      await service.close();
      await store.close();
    },
  };
});
