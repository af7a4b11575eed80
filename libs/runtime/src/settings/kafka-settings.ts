import type { KafkaSecurity } from '@tender/adapter-kafka';
import {
  readFlag,
  readOneOf,
  readRequired,
  SettingsFault,
  splitList,
  type Env,
} from '@tender/eventing';

/** The cluster that carries public events. */
export interface KafkaSettings {
  /** `host:port` */
  readonly kafka_brokers: readonly string[];
  readonly kafka_security: KafkaSecurity;
  /** Before the names of topics and groups, where several systems share a cluster. */
  readonly kafka_namespace: string;
}

/** Kafka takes names of 249 characters; the longest of ours has 60. */
const NAMESPACE = /^[\w.-]{0,100}$/;

/** Throws `SettingsFault`; no message has the password. */
export const readKafkaSettings = (env: Env): KafkaSettings => ({
  kafka_brokers: splitList(
    readRequired(env, 'KAFKA_BROKERS', 'For example: kafka-1:9092,kafka-2:9092'),
  ),
  kafka_security: readKafkaSecurity(env),
  kafka_namespace: readNamespace(env),
});

function readNamespace(env: Env): string {
  const namespace = env['KAFKA_NAMESPACE'] ?? '';
  if (NAMESPACE.test(namespace)) return namespace;
  throw new SettingsFault('KAFKA_NAMESPACE takes up to 100 letters, digits, ".", "_" and "-".');
}

function readKafkaSecurity(env: Env): KafkaSecurity {
  const username = env['KAFKA_USERNAME'];
  const password = env['KAFKA_PASSWORD'];
  const mechanisms = ['scram-sha-512', 'scram-sha-256', 'plain'] as const;
  const mechanism = readOneOf(env, 'KAFKA_SASL_MECHANISM', mechanisms);
  if (!username !== !password) {
    throw new SettingsFault('KAFKA_USERNAME and KAFKA_PASSWORD are set together, or neither is.');
  }
  const login = username && password ? { mechanism, username, password } : null;
  // By default a password travels encrypted.
  return { tls: readFlag(env, 'KAFKA_SSL', login !== null), login };
}
