import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatStorage } from './format-storage';
import { canHaveJars, kafkaJars } from './jars';

const { env } = process;
const path = env['PATH'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tender-java-'));
  // No other Java, and no Maven.
  env['PATH'] = folder;
});
afterEach(() => {
  env['PATH'] = path;
  rmSync(folder, { recursive: true });
});

function install(java: string): void {
  const file = join(folder, 'java');
  writeFileSync(file, `#!/bin/sh\n${java}\n`);
  chmodSync(file, 0o700);
}

const fail = () => {
  throw new Error('nothing is downloaded');
};

test.each([
  ['openjdk version "11.0.21" 2023-10-17', '11'],
  ['openjdk version "1.8.0_392"', '8'],
  ['something else', 'unknown'],
])('Java that says %s cannot run Kafka, and the sentence says why', async (says, version) => {
  install(`echo '${says}' >&2`);
  expect(canHaveJars()).toBe(false);
  await expect(kafkaJars(fail)).rejects.toMatchObject({
    name: 'NoKafka',
    message: expect.stringContaining(
      `there is no Kafka: java is of version ${version}, and Kafka needs 17 or newer; set KAFKA_BROKERS`,
    ),
  });
});

test('a machine without Java is told so', async () => {
  await expect(kafkaJars(fail)).rejects.toThrow('there is no Kafka: java is not installed; set KAFKA_BROKERS');
});

test('storage that cannot be formatted is one sentence with the exception, not a stack', () => {
  install('echo "java.io.IOException: No space left on device" >&2; echo "  at kafka.tools" >&2; exit 1');
  expect(() => formatStorage(folder, join(folder, 'server.properties'))).toThrow(
    expect.objectContaining({
      name: 'NoKafka',
      message: expect.stringMatching(/could not be formatted \(java\.io\.IOException: No space left on device\); set/),
    }),
  );
});
