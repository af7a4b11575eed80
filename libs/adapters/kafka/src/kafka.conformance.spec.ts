/** @needs kafka */
import { busConformance } from '@tender/eventing/testing';
import { Servers } from './testing/servers';
import { openService, serviceLog } from './testing/service';

const servers = new Servers();
beforeAll(() => servers.begin());
afterAll(() => servers.end());

let systems = 0;

busConformance('kafka', async () => {
  systems += 1;
  const namespace = `c${process.pid}-${systems}.`;
  const database = await servers.postgres.database();
  const store = await serviceLog(database);
  const open = () => openService({ store, database, namespace, brokers: servers.kafka.brokers });
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
