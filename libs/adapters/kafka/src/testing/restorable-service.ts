import type { Log, StreamName } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { silentLog } from '@tender/adapter-postgres/testing';
import { cluster } from './cluster';
import { EFFECTS, effectsOf } from './effects';
import { rawTopic } from './raw-topic';
import { Servers } from './servers';
import { openService, serviceLog } from './service';
import { until } from './services';

/** A service with its log and tables, which a test sets back to an older copy; and what its topic says then. */
export class RestorableService {
  service!: Awaited<ReturnType<typeof openService>>;
  store!: Awaited<ReturnType<typeof serviceLog>>;
  /** What the service has complained of. */
  errors: { readonly topic: string; readonly message: string }[] = [];
  namespace = '';
  /** That of mode test. */
  topic = '';
  private readonly servers = new Servers('jars');
  private database = '';
  private systems = 0;
  private readonly log: Log = {
    ...silentLog,
    error: (fields: object, message: string) =>
      void this.errors.push({ ...(fields as { topic: string }), message }),
  };

  constructor() {
    beforeAll(() => this.servers.begin());
    afterAll(() => this.servers.end());
    beforeEach(async () => {
      this.systems += 1;
      this.namespace = `r${process.pid}-${this.systems}.`;
      this.topic = `${this.namespace}test.notes.events`;
      this.database = await this.servers.postgres.database();
      this.errors = [];
      this.store = await serviceLog(this.database);
      await this.open();
    });
    afterEach(async () => {
      await this.service.close();
      await this.store.close();
    });
  }

  get cluster() {
    return cluster(this.servers.kafka.brokers);
  }

  async open(): Promise<void> {
    const { store, database, namespace, log } = this;
    const { brokers } = this.servers.kafka;
    this.service = await openService({ store, database, namespace, brokers, log });
    await this.service.readModels.query(EFFECTS);
  }

  /** The same service again, over the log as it is. */
  async reopen(): Promise<void> {
    await this.service.close();
    await this.open();
  }

  /** Log and tables as they were when the log ended at `position`. The service is closed. */
  async restore(position: number, { relays_back = false } = {}): Promise<void> {
    const { relay, readModels } = this.service;
    await relay.stop();
    await this.store.close();
    await readModels.query('delete from log.events where position > $1', [position]);
    for (const schema of ['notes', 'readers']) {
      await readModels.query(
        `update ${schema}.checkpoints set position = least(position::bigint, $1)::text`,
        [position],
      );
    }
    if (relays_back) await this.setRelaysBack();
    await this.service.close();
    this.store = await serviceLog(this.database);
  }

  async setRelaysBack(): Promise<void> {
    await this.service.readModels.query(
      `update notes.checkpoints set position = null, epoch = epoch + 1, owner = ''
        where follower like 'relay.%'`,
    );
  }

  /** A count of events that no context makes public. */
  async appendElsewhere(count: number): Promise<void> {
    const stream: StreamName = `memo.test-${sampleEvent('memo.test-x').metadata.id}`;
    const events = Array.from({ length: count }, () => sampleEvent(stream));
    await this.store.append(stream, events, 'no_stream');
  }

  records() {
    return rawTopic(this.servers.kafka.brokers, this.topic).all();
  }

  async sequencesInTopic(): Promise<number[]> {
    return (await this.records()).flatMap(({ event }) =>
      event?.type === 'notes.noted.v1' ? [Number((event as { sequence?: string }).sequence)] : [],
    );
  }

  /** The topic tells of progress up to there. */
  async progressAt(position: number): Promise<void> {
    this.service.relay.tellProgress('notes', 'test', Date.now());
    const told = ({ logposition }: { logposition?: string }) => Number(logposition) >= position;
    await until(async () =>
      (await this.records()).some(
        ({ event }) => event?.type === 'tender.relay-progress.v1' && told(event as object),
      ),
    );
  }

  /** What the relay has said when it refused to write to the topic. */
  get refusals() {
    return this.errors.filter((error) => error.topic === this.topic);
  }

  refusedAgain(): Promise<void> {
    const wanted = this.refusals.length + 1;
    return until(() => this.refusals.length >= wanted);
  }

  effects() {
    return effectsOf(this.service.readModels);
  }
}
