import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..');
const POM = join(PROJECT, 'pom.xml');
const JAVA_MIN = 17;
const MAVEN_WAIT_MS = 300_000;
const OUTPUT_MAX = 2_000;
const ADVICE =
  'Set KAFKA_BROKERS to a broker that runs, start Docker, or install Java 17 and Maven and try again.';

/**
 * The folder with Kafka's jars; Maven fetches them when the pom has changed since. Throws with advice when
 * Java or Maven is missing, or Maven cannot deliver.
 */
export function kafkaJars(): string {
  mustRun('java', ['-version']);
  const folder = jarsFolder();
  if (!existsSync(folder)) fetchJars(folder);
  return folder;
}

/** Whether `kafkaJars` can do it: Java 17 or newer is there, and Maven, unless it has brought them before. */
export function canHaveJars(): boolean {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = /version "(\d+)/.exec(stderr)?.[1];
  if (status !== 0 || Number(version) < JAVA_MIN) return false;
  return existsSync(jarsFolder()) || spawnSync('mvn', ['--version']).status === 0;
}

function jarsFolder(): string {
  const wanted = createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 12);
  return join(PROJECT, 'target', `lib-${wanted}`);
}

/** Into a folder of its own first: several test processes may want the jars at the same time. */
function fetchJars(folder: string): void {
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  mustRun('mvn', [
    ...['-q', '-B', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${fresh}`],
  ]);
  writeFileSync(join(fresh, 'complete'), '');
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(join(folder, 'complete'))) throw error;
  }
}

function mustRun(program: string, args: readonly string[]): void {
  const ended = spawnSync(program, args, { encoding: 'utf8', timeout: MAVEN_WAIT_MS });
  if (ended.status === 0) return;
  const words = ended.error ? String(ended.error) : `${ended.stdout}${ended.stderr}`;
  throw new Error(`no Kafka: ${program} failed. ${ADVICE}\n${words.trim().slice(-OUTPUT_MAX)}`);
}
