import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, portToKeep, startPostgres } from '@tender/adapter-postgres-server';
import { FEE_KEY_FILES, SERVICES } from '@tender/contracts';
import { startEventStoreDouble } from '@tender/eventstore-double';
import { startKafka } from '@tender/kafka-broker';
import type { ChildRun, Keep, Kept } from '@tender/eventing';
import { localnetIn } from '@tender/localnet/spawn';
import { jsonLog, keptText, localFeeWallets, localSigners, type StartedSigner } from '@tender/runtime';
import { doublePart, processPart, type Part } from './part';
import type { StartedProcess } from './process-list';
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
  /** Of the pages on which signing passkeys are used; signers and services know their origin from their start. */
  readonly approval_port: number;
  readonly approval_url: string;
  /** The settings of treasury that name the keys of fee wallets, and the signers. */
  readonly treasury_env: Readonly<Record<string, string>>;
  /** Resolves when the fee wallets have what they need, or cannot get it. */
  readonly fee_wallets_funded: Promise<void>;
  /** The signers of operating wallets, once both serve. */
  readonly signers: Promise<readonly StartedProcess[]>;
  /** For people: which there are, and where. */
  readonly processes: readonly StartedProcess[];
  /** Those that a test may make fail, by name. */
  readonly controlled: Readonly<Record<'postgres' | 'kafka' | 'eventstore', Part | null>>;
}

/** Of each process, with its log in Postgres (`docs/operations.md`, Sizing). */
const CONNECTIONS_OF_ONE = 20;
/** Eight for each signer; for `tender ops` and people; tests, too, look into the tables. */
const CONNECTIONS_OF_OTHERS = 76;

const connectionsOf = (replicas: number): number =>
  SERVICES.length * replicas * CONNECTIONS_OF_ONE + CONNECTIONS_OF_OTHERS;

/** Postgres, Kafka, the event store and the local chains, side by side. `closers` end them, last first. */
export async function startParts(
  settings: DistributedSettings,
  closers: (() => Promise<unknown>)[],
  keep: Keep,
): Promise<Parts> {
  const { data_dir, event_store, eventstore_url, kafka_source, replicas } = settings;
  const approval = await placeOfApproval(settings);
  const env = { ...settings.env, APPROVAL_URL: approval.approval_url };
  const log = jsonLog({ level: 'warn' });
  const fee_wallets = localFeeWallets({ env, data_dir, settings: FEE_KEY_FILES });
  // The services find the database at the same place again after it was restarted.
  const free = String(await portToKeep());
  const port = Number(keptText(path.join(data_dir, 'postgres-port'), () => free));
  const kept = <Run extends ChildRun>(starting: Promise<Kept<Run>>) => {
    closers.push(() => starting.then((part) => part.stop(), () => undefined));
    return starting;
  };
  const connections_max = connectionsOf(replicas);
  const signing = await localSigners({ env, data_dir, database_url: null, log });
  const server = { dataDir: data_dir, log, port, connections_max, signers: signing.roles, keep };
  const postgres = await startPostgres(server);
  closers.push(() => postgres.stop());
  const source = kafka_source === 'any' ? {} : { source: kafka_source };
  const broker = { dataDir: path.join(data_dir, 'kafka'), ...source };
  const double = { dataDir: path.join(data_dir, 'eventstore') };
  const [kafka, eventstore, chains] = await Promise.all([
    kept(keep('kafka', () => startKafka(broker))),
    event_store === 'eventstore' && eventstore_url === null
      ? kept(keep('eventstore', () => startEventStoreDouble(double)))
      : null,
    kept(keep('localnet', localnetIn(path.join(data_dir, 'localnet')))),
  ]);
  const localnet = path.join(data_dir, 'localnet.json');
  const networks = fee_wallets.paidFor(chains.current.networks);
  const rpc_urls = Object.values(networks).map(({ rpc_url }) => rpc_url);
  const connection_string = postgres.connectionString;
  const where = { connection_string, networks: chains.current.networks };
  closers.push(() => signing.stop());
  const signers = signing.start({ ...where, keep }).then((both) => both.map(ofSigner));
  // A failure is for those who await the signers later.
  signers.catch(() => undefined);
  writeFileSync(localnet, JSON.stringify(networks, null, 2), { mode: 0o600 });
  return {
    database_url: connection_string,
    eventstore_url: eventstore_url ?? eventstore?.current.connection_string ?? null,
    brokers: kafka.current.brokers.join(','),
    internal_secret: internalSecret(data_dir),
    ...approval,
    localnet,
    rpc_urls,
    treasury_env: { ...fee_wallets.env, ...signing.env },
    fee_wallets_funded: fee_wallets.fund(networks, log),
    signers,
    processes: [
      { name: 'postgres', pid: postgres.pid, place: `127.0.0.1:${port}` },
      placed('kafka', kafka, (run) => run.brokers.join(',')),
      ...(eventstore ? [placed('eventstore', eventstore, (run) => run.connection_string)] : []),
      placed('localnet', chains, () => rpc_urls.join('  ')),
    ],
    controlled: {
      postgres,
      kafka: processPart('kafka', kafka),
      eventstore: eventstore && doublePart('eventstore', eventstore),
    },
  };
}

const internalSecret = (data_dir: string): string =>
  keptText(path.join(data_dir, 'internal-secret'), () => randomBytes(32).toString('base64url'));

async function placeOfApproval({ approval_port: asked, env }: DistributedSettings) {
  const approval_port = asked || (await freePort());
  // No browser makes a passkey for an IP address.
  const approval_url = env['APPROVAL_URL'] || `http://localhost:${approval_port}`;
  return { approval_port, approval_url };
}

const ofSigner = ({ name, url, kept }: StartedSigner): StartedProcess => ({
  ...{ name, place: url },
  pid: kept.current.pid,
});

const placed = <Run extends ChildRun>(
  name: string,
  { current }: Kept<Run>,
  place: (run: Run) => string,
): StartedProcess => ({ name, pid: current.pid, place: place(current) });
