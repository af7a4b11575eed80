import { join } from 'node:path';
import { startKafka } from './start-kafka';

async function main(): Promise<void> {
  const dataDir = process.env['KAFKA_DATA_DIR'] ?? join('.data', 'kafka');
  const kafka = await startKafka({ dataDir, ports: { broker: 9092, controller: 9093 } });
  process.stdout.write(`KAFKA_BROKERS=${kafka.brokers.join(',')}  (${kafka.source})\n`);
  // A broker that is no child of this process leaves nothing to wait for.
  const awake = setInterval(() => undefined, 60_000);
  const stop = () => {
    clearInterval(awake);
    void kafka.stop();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`kafka: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
