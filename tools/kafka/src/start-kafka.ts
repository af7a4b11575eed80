import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchBroker, reasonIn, type BrokerProcess } from './broker-process';
import { formatStorage } from './format-storage';
import { dockerEngine, kafkaInDocker } from './in-docker';
import { canHaveJars, kafkaJars, NoKafka } from './jars';
import { kafkaElsewhere, type KafkaSource, type RunningKafka } from './running-kafka';
import { freePorts, serverProperties, type Ports } from './server-properties';

export interface StartKafkaOptions {
  /** Keeps topics, offsets and ports: started again on it, the broker is the same one. */
  readonly dataDir: string;
  /** By default those of the last start on this folder, else free ones. */
  readonly ports?: Ports;
  /** Only this way; by default the first that works. A test that kills brokers asks for `jars`. */
  readonly source?: KafkaSource;
  /** Hears what is downloaded; by default it is said on stderr. */
  readonly say?: (line: string) => void;
}

/** Only ends what hangs. */
const READY_WAIT_MS = 300_000;
const READY_LOOK_MS = 25;

/**
 * A real Kafka broker for this machine: the one that KAFKA_BROKERS names, else a container, else Kafka's own
 * jars as a child that ends with this process. Throws with advice when there is no way.
 */
export async function startKafka(options: StartKafkaOptions): Promise<RunningKafka> {
  const { source, say = sayOnStderr } = options;
  const given = process.env['KAFKA_BROKERS'];
  if (given && (!source || source === 'given')) {
    return kafkaElsewhere(given.split(','), 'given', () => Promise.resolve());
  }
  if (source === 'given') throw new NoKafka('KAFKA_BROKERS is not set');
  const container = source === 'jars' ? null : await kafkaInDocker(say);
  if (container) return container;
  if (source === 'docker') throw new NoKafka('no Docker engine answers, or testcontainers is missing');
  return startFromJars({ ...options, say });
}

/** Where `startKafka` would take a broker from on this machine; null when there is no way. */
export async function findKafka(): Promise<KafkaSource | null> {
  if (process.env['KAFKA_BROKERS']) return 'given';
  if (await dockerEngine()) return 'docker';
  return canHaveJars() ? 'jars' : null;
}

const sayOnStderr = (line: string): void => void process.stderr.write(`tender: ${line}\n`);

async function startFromJars(
  options: StartKafkaOptions & Required<Pick<StartKafkaOptions, 'say'>>,
): Promise<RunningKafka> {
  const jars = await kafkaJars(options.say);
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const ports = options.ports ?? keptPorts(dataDir) ?? (await freePorts());
  writeFileSync(join(dataDir, 'ports.json'), JSON.stringify(ports));
  const properties = join(dataDir, 'server.properties');
  writeFileSync(properties, serverProperties(ports, join(dataDir, 'logs')));
  if (!existsSync(join(dataDir, 'logs', 'meta.properties'))) formatStorage(jars, properties);
  const broker = await launchBroker(jars, properties);
  await ready(broker, ports.broker);
  return {
    ...broker,
    brokers: [`127.0.0.1:${ports.broker}`],
    source: 'jars',
  };
}

function keptPorts(dataDir: string): Ports | null {
  const file = join(dataDir, 'ports.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Ports) : null;
}

/** A KRaft broker listens once it is registered and may serve. */
async function ready(broker: BrokerProcess, port: number): Promise<void> {
  let ended = false;
  void broker.ended.then(() => (ended = true));
  for (const until = Date.now() + READY_WAIT_MS; !ended && Date.now() < until; ) {
    if (await listens(port)) return;
    await sleep(READY_LOOK_MS);
  }
  await broker.kill();
  throw new NoKafka(`its broker does not start on port ${port} (${reasonIn(broker.said())})`);
}

function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
