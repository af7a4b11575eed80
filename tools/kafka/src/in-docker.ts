import { existsSync } from 'node:fs';
import { kafkaElsewhere, type RunningKafka } from './running-kafka';
import { freePorts } from './server-properties';

/** The same as in docker-compose.yml. */
const IMAGE =
  'apache/kafka:3.9.2@sha256:05b4616e0702ef2729327705d54ad6b50ea70b271c4b730fabd2320789fb7b02';
const SOCKET = '/var/run/docker.sock';

/**
 * A broker in a container, or null when no engine answers or testcontainers (a development dependency) is
 * not installed. What it keeps goes with the container.
 */
export async function kafkaInDocker(say: (line: string) => void): Promise<RunningKafka | null> {
  const containers = await dockerEngine();
  if (!containers) return null;
  const [name = IMAGE] = IMAGE.split('@');
  say(`starting ${name} in Docker, which downloads it first where it is missing`);
  const { broker: port } = await freePorts();
  const container = await new containers.GenericContainer(IMAGE)
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
    })
    .withExposedPorts({ container: 9092, host: port })
    .withWaitStrategy(containers.Wait.forLogMessage(/Kafka Server started/))
    .start();
  return kafkaElsewhere([`127.0.0.1:${port}`], 'docker', () => container.stop());
}

/** What starts containers, or null when no engine answers or testcontainers is not installed. */
export async function dockerEngine(): Promise<typeof import('testcontainers') | null> {
  if (!process.env['DOCKER_HOST'] && !existsSync(SOCKET)) return null;
  const containers = await import('testcontainers').catch(() => null);
  const engine = await containers?.getContainerRuntimeClient().catch(() => null);
  return engine ? containers : null;
}
