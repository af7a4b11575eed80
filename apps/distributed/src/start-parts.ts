import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, startPostgres } from '@tender/adapter-postgres-server';
import { SPONSOR_KEY_FILES } from '@tender/contracts';
import { startEventStoreDouble } from '@tender/eventstore-double';
import { startKafka } from '@tender/kafka-broker';
import type { Log } from '@tender/eventing';
import { keepLocalnet, type LocalnetNews } from '@tender/localnet';
import { jsonLog, keptText, localSponsors } from '@tender/runtime';
import { Part } from './part';
import type { DistributedSettings } from './settings';

/** What the services need and do not bring: the same as in docker-compose.yml, on this machine. */
export interface Parts {
  readonly database_url: string;
  readonly eventstore_url: string | null;
  readonly brokers: string;
  readonly internal_secret: string;
  /** File that describes the local chains. */
  readonly localnet: string;
  readonly rpc_urls: readonly string[];
  /** The settings of treasury that name the keys of sponsors. */
  readonly sponsor_keys: Readonly<Record<string, string>>;
  /** Resolves when the sponsors have what they need, or cannot get it. */
  readonly sponsors_funded: Promise<void>;
  /** Those that a test may make fail, by name. */
  readonly controlled: Readonly<Record<'postgres' | 'kafka' | 'eventstore', Part | null>>;
}

const CONNECTIONS_MAX = 200;

const LOCALNET = 'localnet';

/** Tells people, and the program that started this one, what became of the local chains' process. */
const tellerOfChains = (log: Log) => (news: LocalnetNews) => {
  process.send?.({ ...news, name: LOCALNET });
  const { type, pid, how } = news;
  if (type === 'serving') log.warn({ part: LOCALNET, pid }, 'the local chains run again');
  else log.error({ part: LOCALNET, pid, how }, 'the local chains ended and are started again');
};

/** Postgres, Kafka, the event store and the local chains, side by side. `closers` end them, last first. */
export async function startParts(
  { data_dir, event_store, eventstore_url, kafka_source, env }: DistributedSettings,
  closers: (() => Promise<unknown>)[],
): Promise<Parts> {
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const log = jsonLog({ level: 'warn' });
  const sponsors = localSponsors({ env, data_dir, settings: SPONSOR_KEY_FILES });
  // The services find the database at the same place again after it was restarted.
  const free = String(await freePort());
  const port = Number(keptText(path.join(data_dir, 'postgres-port'), () => free));
  const kept = async <Kept extends { stop(): Promise<unknown> }>(starting: Promise<Kept>) => {
    const part = await starting;
    closers.push(() => part.stop());
    return part;
  };
  const connections_max = CONNECTIONS_MAX;
  const postgres = await kept(
    Part.start(() => startPostgres({ dataDir: data_dir, log, port, connections_max })),
  );
  const broker = {
    dataDir: path.join(data_dir, 'kafka'),
    ...(kafka_source === 'any' ? {} : { source: kafka_source }),
  };
  const [kafka, eventstore, chains] = await Promise.all([
    kept(Part.start(() => startKafka(broker))),
    event_store === 'eventstore' && eventstore_url === null
      ? kept(
          Part.start(() => startEventStoreDouble({ dataDir: path.join(data_dir, 'eventstore') })),
        )
      : null,
    kept(keepLocalnet({ dataDir: path.join(data_dir, LOCALNET) }, tellerOfChains(log))),
  ]);
  process.send?.({ type: 'serving', name: LOCALNET, pid: chains.pid() });
  const localnet = path.join(data_dir, 'localnet.json');
  const networks = sponsors.paidFor(chains.networks);
  writeFileSync(localnet, JSON.stringify(networks, null, 2), { mode: 0o600 });
  return {
    database_url: postgres.current.connectionString,
    eventstore_url: eventstore_url ?? eventstore?.current.connection_string ?? null,
    brokers: kafka.current.brokers.join(','),
    internal_secret: keptText(path.join(data_dir, 'internal-secret'), () =>
      randomBytes(32).toString('base64url'),
    ),
    localnet,
    rpc_urls: Object.values(networks).map(({ rpc_url }) => rpc_url),
    sponsor_keys: sponsors.env,
    sponsors_funded: sponsors.fund(networks, log),
    controlled: { postgres, kafka, eventstore },
  };
}
