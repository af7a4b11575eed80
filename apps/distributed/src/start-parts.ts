import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, startPostgres } from '@tender/adapter-postgres-server';
import { startEventStoreDouble } from '@tender/eventstore-double';
import { startKafka } from '@tender/kafka-broker';
import { spawnLocalnet } from '@tender/localnet';
import { jsonLog, keptText } from '@tender/runtime';
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
}

const CONNECTIONS_MAX = 200;

/** Postgres, Kafka, the event store and the local chains, side by side. `closers` end them, last first. */
export async function startParts(
  { data_dir, event_store, eventstore_url }: DistributedSettings,
  closers: (() => Promise<unknown>)[],
): Promise<Parts> {
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const log = jsonLog({ level: 'warn' });
  const port = await freePort();
  // The services find the database at the same place again after it was restarted.
  const kept_port = Number(keptText(path.join(data_dir, 'postgres-port'), () => String(port)));
  const postgres = await startPostgres({
    dataDir: data_dir,
    log,
    port: kept_port,
    connections_max: CONNECTIONS_MAX,
  });
  closers.push(() => postgres.stop());
  const kept = <Part>(part: Part, stop: () => Promise<unknown>): Part => {
    closers.push(stop);
    return part;
  };
  const [kafka, store, chains] = await Promise.all([
    startKafka({ dataDir: path.join(data_dir, 'kafka') }).then((part) =>
      kept(part, () => part.stop()),
    ),
    event_store === 'eventstore' && eventstore_url === null
      ? startEventStoreDouble({ dataDir: path.join(data_dir, 'eventstore') }).then((part) =>
          kept(part, () => part.stop()),
        )
      : null,
    spawnLocalnet({ dataDir: path.join(data_dir, 'localnet') }).then((part) =>
      kept(part, () => part.stop()),
    ),
  ]);
  const localnet = path.join(data_dir, 'localnet.json');
  writeFileSync(localnet, JSON.stringify(chains.networks, null, 2), { mode: 0o600 });
  return {
    database_url: postgres.connectionString,
    eventstore_url: eventstore_url ?? store?.connection_string ?? null,
    brokers: kafka.brokers.join(','),
    internal_secret: keptText(
      path.join(data_dir, 'internal-secret'),
      () => randomBytes(32).toString('base64url'),
    ),
    localnet,
    rpc_urls: Object.values(chains.networks).map(({ rpc_url }) => rpc_url),
  };
}
