import { SERVICES } from '@tender/contracts';
import { readEventStoreUrl, readOneOf, readWholeNumber } from '@tender/eventing';
import { readDataDir, readMetricsPorts } from '@tender/runtime';

/** The settings of `npm run distributed`. Of the rest, services get what they read. */
export interface DistributedSettings {
  /** Of the first gateway; 0 takes any free port. */
  readonly port: number;
  /** Of the pages on which signing passkeys are used; 0 takes any free port. */
  readonly approval_port: number;
  /** Of the first process; each of the others has the next one. 0 takes any free ones, null serves no metrics. */
  readonly metrics_port: number | null;
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
  const replicas = readWholeNumber(env, 'REPLICAS', 1, 1, 5);
  const port = readWholeNumber(env, 'PORT', 8080, 0, 65_535);
  const approval_port = readWholeNumber(env, 'APPROVAL_PORT', port === 0 ? 0 : 8090, 0, 65_535);
  const beside = { PORT: port, APPROVAL_PORT: approval_port };
  const scraped = { count: SERVICES.length * replicas, called: 'processes', beside };
  return {
    ...{ port, approval_port },
    metrics_port: readMetricsPorts(env, scraped),
    data_dir: readDataDir(env, '.data/distributed'),
    event_store:
      eventstore_url === null
        ? readOneOf(env, 'EVENT_STORE', ['postgres', 'eventstore'])
        : 'eventstore',
    eventstore_url,
    kafka_source: readOneOf(env, 'KAFKA_SOURCE', ['any', 'given', 'docker', 'jars']),
    replicas,
    env,
  };
}
