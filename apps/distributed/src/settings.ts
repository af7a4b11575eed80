import path from 'node:path';
import { readEventStoreUrl, readOneOf, readWholeNumber } from '@tender/eventing';

/** The settings of `npm run distributed`. Of the rest, services get what they read. */
export interface DistributedSettings {
  /** Of the first gateway; 0 takes any free port. */
  readonly port: number;
  readonly data_dir: string;
  /** The log: in Postgres, or in an EventStoreDB: the one of EVENTSTORE_URL, else the double. */
  readonly event_store: 'postgres' | 'eventstore';
  readonly eventstore_url: string | null;
  /** Where the broker comes from; by default the first way that works. */
  readonly kafka_source: 'any' | 'given' | 'docker' | 'jars';
  /** Processes of each service. */
  readonly replicas: number;
  /** The operator’s; `serviceEnvironment` says what of it a service gets. */
  readonly env: NodeJS.ProcessEnv;
}

export function readDistributedSettings(env: NodeJS.ProcessEnv): DistributedSettings {
  const eventstore_url = readEventStoreUrl(env);
  return {
    port: readWholeNumber(env, 'PORT', 8080, 0, 65_535),
    data_dir: path.resolve(env.DATA_DIR || '.data/distributed'),
    event_store:
      eventstore_url === null
        ? readOneOf(env, 'EVENT_STORE', ['postgres', 'eventstore'])
        : 'eventstore',
    eventstore_url,
    kafka_source: readOneOf(env, 'KAFKA_SOURCE', ['any', 'given', 'docker', 'jars']),
    replicas: readWholeNumber(env, 'REPLICAS', 1, 1, 5),
    env,
  };
}
