import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EFFECTS } from './effects';
import { rawTopic } from './raw-topic';
import { Servers } from './servers';
import { openService, serviceLog, type ServiceOptions } from './service';

export type Service = Awaited<ReturnType<typeof openService>>;

/** Services over one broker that can be killed; each test has a log, a database and topics of its own. */
export class Services {
  readonly servers = new Servers('jars');
  namespace = '';
  store!: Awaited<ReturnType<typeof serviceLog>>;
  private database = '';
  private systems = 0;
  private opened: Service[] = [];

  constructor() {
    beforeAll(() => this.servers.begin());
    afterAll(() => this.servers.end());
    beforeEach(async () => {
      this.systems += 1;
      this.namespace = `f${process.pid}-${this.systems}.`;
      this.database = await this.servers.postgres.database();
      this.store = await serviceLog(this.database);
    });
    afterEach(async () => {
      await Promise.all(this.opened.splice(0).map((service) => service.close()));
      await this.store.close();
    });
  }

  async open(more: Partial<ServiceOptions> = {}): Promise<Service> {
    const { store, database, namespace } = this;
    const { brokers } = this.servers.kafka;
    const service = await openService({ store, database, namespace, brokers, ...more });
    await service.readModels.query(EFFECTS);
    this.opened.push(service);
    return service;
  }

  /** Before the end of its test. */
  async close(service: Service): Promise<void> {
    await service.close();
    this.opened = this.opened.filter((other) => other !== service);
  }

  private get topicName(): string {
    return `${this.namespace}test.notes.events`;
  }

  topic() {
    return rawTopic(this.servers.kafka.brokers, this.topicName);
  }

  /** What the topic takes on the broker's disk. */
  bytesOfTopic(): number {
    const logs = join(this.servers.folder, 'logs');
    const partitions = readdirSync(logs).filter((name) => name.startsWith(`${this.topicName}-`));
    const segments = partitions.flatMap((name) =>
      readdirSync(join(logs, name))
        .filter((file) => file.endsWith('.log'))
        .map((file) => join(logs, name, file)),
    );
    return segments.reduce((bytes, segment) => bytes + statSync(segment).size, 0);
  }

  /** What the relay has written of events. */
  async notesInTopic() {
    return (await this.topic().all()).filter(({ event }) => event?.type === 'notes.noted.v1');
  }
}

export const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(20);
};

export const count = (effects: Record<string, number[]>): number =>
  Object.values(effects).flat().length;
