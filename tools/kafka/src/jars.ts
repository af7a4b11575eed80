import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runJava } from './broker-process';

const PROJECT = join(__dirname, '..');
const POM = join(PROJECT, 'pom.xml');
const JAVA_MIN = 17;
const MAVEN_WAIT_MS = 300_000;
const OUTPUT_MAX = 2_000;
const SAY_EVERY_MS = 5_000;
/** Of all jars, for people who wait for them. */
const SIZE = '46 MB';
const WAYS_OUT = 'set KAFKA_BROKERS to a broker that runs, start Docker, or install Java 17 and Maven';

/** There is no way to a broker on this machine: the sentence says what is missing and what to do. */
export class NoKafka extends Error {
  override readonly name = 'NoKafka';
  constructor(why: string) {
    super(`there is no Kafka: ${why}; ${WAYS_OUT}`);
  }
}

/**
 * The folder with Kafka's jars; Maven fetches them when the pom has changed since, and `say` hears of it. Throws
 * `NoKafka` when Java or Maven is missing, Java is too old, or Maven cannot deliver.
 */
export async function kafkaJars(say: (line: string) => void): Promise<string> {
  const fault = javaFault();
  if (fault !== null) throw new NoKafka(fault);
  const folder = jarsFolder();
  if (!existsSync(folder)) await fetchJars(folder, say);
  return folder;
}

/** Whether `kafkaJars` can do it: Java 17 or newer is there, and Maven, unless it has brought them before. */
export function canHaveJars(): boolean {
  if (javaFault() !== null) return false;
  return existsSync(jarsFolder()) || spawnSync('mvn', ['--version']).status === 0;
}

/** Why this machine's Java cannot run Kafka; null where it can. */
function javaFault(): string | null {
  const { status, stderr } = runJava(['-version']);
  if (status !== 0) return 'java is not installed';
  // Up to Java 8 it names itself 1.8.
  const version = /version "(?:1\.)?(\d+)/.exec(stderr)?.[1];
  if (Number(version) >= JAVA_MIN) return null;
  return `java is of version ${version ?? 'unknown'}, and Kafka needs ${JAVA_MIN} or newer`;
}

function jarsFolder(): string {
  const wanted = createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 12);
  return join(PROJECT, 'target', `lib-${wanted}`);
}

/** Into a folder of its own first: several test processes may want the jars at the same time. */
async function fetchJars(folder: string, say: (line: string) => void): Promise<void> {
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`;
  say(`downloading Kafka with Maven (${SIZE}, once)`);
  const saying = setInterval(() => say(`downloading Kafka: ${seconds()} so far`), SAY_EVERY_MS);
  try {
    await runMaven(['dependency:copy-dependencies', `-DoutputDirectory=${fresh}`]);
  } finally {
    clearInterval(saying);
  }
  say(`Kafka is there after ${seconds()}`);
  writeFileSync(join(fresh, 'complete'), '');
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(join(folder, 'complete'))) throw error;
  }
}

async function runMaven(goals: readonly string[]): Promise<void> {
  const maven = spawn('mvn', ['-q', '-B', '-f', POM, ...goals], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MAVEN_WAIT_MS,
  });
  let said = '';
  for (const stream of [maven.stdout, maven.stderr]) {
    stream.on('data', (chunk: Buffer) => (said = (said + String(chunk)).slice(-OUTPUT_MAX)));
  }
  const [code] = (await once(maven, 'close').catch(() => {
    throw new NoKafka('mvn is not installed');
  })) as [number | null];
  if (code === 0) return;
  const [why = `ended with ${code}`] = /^\[ERROR\] .*/m.exec(said) ?? [];
  throw new NoKafka(`mvn failed (${why.replace('[ERROR] ', '')})`);
}
