import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka, type StartKafkaOptions, type RunningKafka } from '@tender/kafka-broker';
import { startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';

/** A broker and a database of a spec's own. */
export class Servers {
  kafka!: RunningKafka;
  postgres!: TestPostgres;
  readonly folder = mkdtempSync(join(tmpdir(), 'tender-kafka-'));
  private readonly warnings: string[] = [];

  /** `jars`: a process that can be killed and stopped. */
  constructor(private readonly source?: StartKafkaOptions['source']) {
    process.on('warning', ({ name }) => this.warnings.push(name));
  }

  async begin(): Promise<void> {
    [this.postgres] = await Promise.all([startTestPostgres(), this.startBroker()]);
  }

  /** The first one, or again with what it had. */
  async startBroker(): Promise<void> {
    const source = this.source ? { source: this.source } : {};
    this.kafka = await startKafka({ dataDir: this.folder, ...source });
  }

  async end(): Promise<void> {
    // Node 24 speaks of kafkajs's negative timers.
    expect(this.warnings).not.toContain('TimeoutNegativeWarning');
    await Promise.all([this.postgres.stop(), this.kafka.stop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
