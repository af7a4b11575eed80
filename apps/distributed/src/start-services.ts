import { createRequire } from 'node:module';
import path from 'node:path';
import { freePort } from '@tender/adapter-postgres-server';
import { addressSetting, GATEWAY, SERVICES, type ServiceName } from '@tender/contracts';
import { serviceEnvironment } from './service-environment';
import { ServiceProcess, type ServiceNews } from './service-process';
import type { DistributedSettings } from './settings';
import type { Parts } from './start-parts';

export interface Services {
  /** Of each gateway. */
  readonly urls: readonly string[];
  readonly admin_token: string;
  readonly processes: readonly ServiceProcess[];
}

const HOST = '127.0.0.1';
const APPS = path.resolve(__dirname, '../..');

/** Every service in its processes, side by side: where each will listen is known before any starts. */
export async function startServices(
  settings: DistributedSettings,
  parts: Parts,
  closers: (() => Promise<unknown>)[],
  tell: (news: ServiceNews) => void,
): Promise<Services> {
  const { replicas, data_dir } = settings;
  const env = { ...settings.env, ...parts.sponsor_keys };
  const processes: ServiceProcess[] = [];
  const ports = await choosePorts(replicas, settings.port);
  const portsOf = (service: ServiceName) => ports.get(service) ?? [];
  const [first] = portsOf(GATEWAY);
  const common = {
    HOST,
    DATA_DIR: data_dir,
    DATABASE_URL: parts.database_url,
    EVENTSTORE_URL: parts.eventstore_url ?? '',
    KAFKA_BROKERS: parts.brokers,
    INTERNAL_SECRET: parts.internal_secret,
    LOCALNET: parts.localnet,
    PUBLIC_URL: env.PUBLIC_URL || `http://${HOST}:${first?.port}`,
    WEBHOOK_ALLOW_LOOPBACK: env.WEBHOOK_ALLOW_LOOPBACK || 'true',
    ...Object.fromEntries(
      SERVICES.map((service) => [addressSetting(service), urlsAt(portsOf(service))]),
    ),
  };
  const startAll = (service: string, places: readonly Ports[]) =>
    Promise.all(
      places.map(async ({ port, internal_port }, replica) => {
        const started = new ServiceProcess({
          name: replica === 0 ? service : `${service} ${replica + 1}`,
          main: mainOf(service, env),
          node_flags: flagsOf(service),
          env: {
            ...serviceEnvironment(env, service),
            ...common,
            PORT: String(port),
            INTERNAL_PORT: String(internal_port),
            TENDER_SERVICE: service,
          },
          tell,
        });
        processes.push(started);
        closers.push(() => started.stop());
        return started.start();
      }),
    );

  const started = await Promise.all(
    SERVICES.map(async (service) => [service, await startAll(service, portsOf(service))] as const),
  );
  const gateways = started.find(([service]) => service === GATEWAY)?.[1] ?? [];
  const [{ admin_token = '' } = {}] = gateways;
  return { urls: gateways.map(({ url }) => url), admin_token, processes };
}

/** Where a replica listens. */
interface Ports {
  readonly port: number;
  /** For the other services; the gateway's first one is for clients. */
  readonly internal_port: number;
}

const urlsAt = (ports: readonly Ports[]): string =>
  ports.map(({ internal_port }) => `http://${HOST}:${internal_port}`).join(',');

/** For each replica of each service; `gateway_port` is that of the first gateway, 0 for any. */
async function choosePorts(
  replicas: number,
  gateway_port: number,
): Promise<ReadonlyMap<ServiceName, readonly Ports[]>> {
  const taken = new Set([gateway_port]);
  const another = async (): Promise<number> => {
    const port = await freePort();
    if (taken.has(port)) return another();
    taken.add(port);
    return port;
  };
  const chosen = new Map<ServiceName, Ports[]>();
  for (const service of SERVICES) {
    const its: Ports[] = [];
    while (its.length < replicas) {
      const first = service === GATEWAY && its.length === 0;
      const port = first && gateway_port > 0 ? gateway_port : await another();
      its.push({ port, internal_port: service === GATEWAY ? await another() : port });
    }
    chosen.set(service, its);
  }
  return chosen;
}

/** Tests may start the program `SERVICE_MAIN` in place of each service; `TENDER_SERVICE` tells it which one. */
const mainOf = (service: string, { SERVICE_MAIN: other }: NodeJS.ProcessEnv): string =>
  other || path.join(APPS, service, 'dist', 'main.js');

/** What a service asks of V8, in its package.json. */
function flagsOf(service: string): readonly string[] {
  const read = createRequire(__filename);
  const { tender } = read(path.join(APPS, service, 'package.json')) as {
    tender?: { nodeFlags?: string[] };
  };
  return tender?.nodeFlags ?? [];
}
