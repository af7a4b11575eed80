import { createRequire } from 'node:module';
import path from 'node:path';
import { freePort } from '@tender/adapter-postgres-server';
import { addressSetting, GATEWAY, SERVICES, type ServiceName } from '@tender/contracts';
import type { Keep } from '@tender/eventing';
import { startProgram } from '@tender/runtime';
import { approvalEnvironment, serviceEnvironment } from './service-environment';
import type { StartedProcess } from './process-list';
import type { DistributedSettings } from './settings';
import type { Parts } from './start-parts';

export interface Services {
  /** Of each gateway. */
  readonly urls: readonly string[];
  readonly admin_token: string;
  readonly processes: readonly StartedProcess[];
  /** Of those that serve metrics. */
  readonly metrics_ports: readonly number[];
}

const HOST = '127.0.0.1';
const APPROVAL = 'approval';
const APPS = path.resolve(__dirname, '../..');
const BUNDLES = path.resolve(APPS, '../dist');

/** What a service says once it serves. */
interface ServiceReady {
  readonly url: string;
  readonly admin_token?: string;
  readonly metrics_port: number | null;
}

/** Every service in its processes, side by side: where each will listen is known before any starts. */
export async function startServices(
  settings: DistributedSettings,
  parts: Parts,
  closers: (() => Promise<unknown>)[],
  keep: Keep,
): Promise<Services> {
  const { data_dir } = settings;
  const env = { ...settings.env, ...parts.treasury_env };
  const places = await choosePlaces(settings);
  const placesOf = (service: ServiceName) => places.get(service) ?? [];
  const [first] = placesOf(GATEWAY);
  const common = {
    HOST,
    DATA_DIR: data_dir,
    DATABASE_URL: parts.database_url,
    EVENTSTORE_URL: parts.eventstore_url ?? '',
    KAFKA_BROKERS: parts.brokers,
    INTERNAL_SECRET: parts.internal_secret,
    LOCALNET: parts.localnet,
    PUBLIC_URL: env.PUBLIC_URL || `http://${HOST}:${first?.port}`,
    APPROVAL_URL: parts.approval_url,
    WEBHOOK_ALLOW_LOOPBACK: env.WEBHOOK_ALLOW_LOOPBACK || 'true',
    ...Object.fromEntries(
      SERVICES.map((service) => [addressSetting(service), urlsAt(placesOf(service))]),
    ),
  };
  const startOne = async (service: string, { name, port, internal_port, metrics_port }: Place) => {
    const options = {
      name,
      main: mainOf(service, env),
      node_flags: flagsOf(service),
      env: {
        ...serviceEnvironment(env, service),
        ...common,
        PORT: String(port),
        INTERNAL_PORT: String(internal_port),
        METRICS_PORT: String(metrics_port ?? ''),
        TENDER_SERVICE: service,
      },
    };
    const starting = keep(name, () => startProgram<ServiceReady>(options));
    closers.push(() => starting.then((kept) => kept.stop(), () => undefined));
    return { name, service, ...(await starting).current };
  };

  /** The pages on which signing passkeys are used, on an origin of their own. */
  const startApproval = async (): Promise<StartedProcess> => {
    const { PUBLIC_URL } = common;
    const place = { HOST, PORT: String(parts.approval_port), PUBLIC_URL };
    const options = {
      ...{ name: APPROVAL, main: bundleOf(APPROVAL), node_flags: [] },
      env: { ...approvalEnvironment(env), ...place },
    };
    const starting = keep(APPROVAL, () => startProgram<{ readonly url: string }>(options));
    closers.push(() => starting.then((kept) => kept.stop(), () => undefined));
    const { pid } = (await starting).current;
    return { name: APPROVAL, pid, place: parts.approval_url };
  };

  const started = await Promise.all(
    SERVICES.flatMap((service) => placesOf(service).map((place) => startOne(service, place))),
  );
  const approval = await startApproval();
  const gateways = started.filter(({ service }) => service === GATEWAY);
  return {
    urls: gateways.map(({ url }) => url),
    admin_token: gateways[0]?.admin_token ?? '',
    processes: [
      ...started.map(({ name, pid, url, metrics_port }) => {
        const metrics = metrics_port === null ? '' : `  http://${HOST}:${metrics_port}/metrics`;
        return { name, pid, place: url + metrics };
      }),
      approval,
    ],
    metrics_ports: started.flatMap(({ metrics_port }) => metrics_port ?? []),
  };
}

/** A replica, and where it listens. */
interface Place {
  readonly name: string;
  readonly port: number;
  /** For the other services; the gateway's first one is for clients. */
  readonly internal_port: number;
  /** Null where no metrics are served. */
  readonly metrics_port: number | null;
}

const urlsAt = (places: readonly Place[]): string =>
  places.map(({ internal_port }) => `http://${HOST}:${internal_port}`).join(',');

/** For each replica of each service. The first gateway has PORT, metrics have METRICS_PORT and those after it. */
async function choosePlaces({
  port: gateway_port,
  metrics_port: first_metrics_port,
  replicas,
}: DistributedSettings): Promise<ReadonlyMap<ServiceName, readonly Place[]>> {
  const count = SERVICES.length * replicas;
  const metrics_ports = Array.from({ length: count }, (_, at) => (first_metrics_port ?? 0) + at);
  const taken = new Set([gateway_port, ...(first_metrics_port ? metrics_ports : [])]);
  const another = async (): Promise<number> => {
    const port = await freePort();
    if (taken.has(port)) return another();
    taken.add(port);
    return port;
  };
  const metricsPort = async (): Promise<number | null> =>
    first_metrics_port === 0 ? another() : first_metrics_port && (metrics_ports.shift() ?? null);
  const chosen = new Map<ServiceName, Place[]>();
  for (const service of SERVICES) {
    const its: Place[] = [];
    while (its.length < replicas) {
      const first = service === GATEWAY && its.length === 0;
      const port = first && gateway_port > 0 ? gateway_port : await another();
      its.push({
        name: its.length === 0 ? service : `${service} ${its.length + 1}`,
        port,
        internal_port: service === GATEWAY ? await another() : port,
        metrics_port: await metricsPort(),
      });
    }
    chosen.set(service, its);
  }
  return chosen;
}

/** Tests may start the program `SERVICE_MAIN` in place of each service; `TENDER_SERVICE` tells it which one. */
const mainOf = (service: string, { SERVICE_MAIN: other }: NodeJS.ProcessEnv): string =>
  other || bundleOf(service);

const bundleOf = (app: string): string => path.join(BUNDLES, `${app}.js`);

/** What a service asks of V8, in its package.json. */
function flagsOf(service: string): readonly string[] {
  const read = createRequire(__filename);
  const { tender } = read(path.join(APPS, service, 'package.json')) as {
    tender?: { nodeFlags?: string[] };
  };
  return tender?.nodeFlags ?? [];
}
