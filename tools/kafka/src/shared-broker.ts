import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka } from './start-kafka';

/** The Kafka that the stories of a run share: `scripts/test-servers.mjs` starts it, says where it is, and ends it. */
async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tender-kafka-'));
  const kafka = await startKafka({ dataDir });
  const stop = async () => {
    await kafka.stop();
    rmSync(dataDir, { recursive: true, force: true });
    process.exit();
  };
  process.once('SIGTERM', () => void stop());
  process.once('disconnect', () => void stop());
  process.send?.({ type: 'ready', brokers: kafka.brokers.join(',') });
}

void main();
