import { createRequire } from 'node:module';
import path from 'node:path';
import { freePort } from '@tender/adapter-postgres-server';
import { SERVICE_URLS, type ServiceName } from '@tender/runtime';
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

/** Every service in its processes; the gateways last, because they are told where the others are. */
export async function startServices(
  settings: DistributedSettings,
  parts: Parts,
  closers: (() => Promise<unknown>)[],
  tell: (news: ServiceNews) => void,
): Promise<Services> {
  const { replicas, data_dir, env } = settings;
  const processes: ServiceProcess[] = [];
  const port = settings.port || (await freePort());
  const common = {
    ...env,
    HOST,
    PORT: '0',
    DATA_DIR: data_dir,
    DATABASE_URL: parts.database_url,
    EVENTSTORE_URL: parts.eventstore_url ?? '',
    KAFKA_BROKERS: parts.brokers,
    INTERNAL_SECRET: parts.internal_secret,
    LOCALNET: parts.localnet,
    PUBLIC_URL: env.PUBLIC_URL || `http://${HOST}:${port}`,
    WEBHOOK_ALLOW_LOOPBACK: env.WEBHOOK_ALLOW_LOOPBACK || 'true',
  };
  const startAll = (service: string, envOf: (replica: number) => NodeJS.ProcessEnv) =>
    Promise.all(
      Array.from({ length: replicas }, async (_, replica) => {
        const started = new ServiceProcess({
          name: replica === 0 ? service : `${service} ${replica + 1}`,
          main: mainOf(service, env),
          node_flags: flagsOf(service),
          env: { ...common, ...envOf(replica), TENDER_SERVICE: service },
          tell,
        });
        processes.push(started);
        closers.push(() => started.stop());
        return started.start();
      }),
    );

  const names = Object.keys(SERVICE_URLS) as ServiceName[];
  const addresses = await Promise.all(
    names.map(async (name) => {
      const ready = await startAll(name, () => ({}));
      return [SERVICE_URLS[name], ready.map(({ url }) => url).join(',')] as const;
    }),
  );
  const gateways = await startAll('gateway', (replica) => ({
    ...Object.fromEntries(addresses),
    PORT: replica === 0 ? String(port) : '0',
  }));
  const [{ admin_token = '' } = {}] = gateways;
  return { urls: gateways.map(({ url }) => url), admin_token, processes };
}

/** `MAIN_PAYMENTS` and the like name another program in a service's place; tests only. */
function mainOf(service: string, env: NodeJS.ProcessEnv): string {
  const other = env[`MAIN_${service.toUpperCase().replaceAll('-', '_')}`];
  return other ?? path.join(APPS, service, 'dist', 'main.js');
}

/** What a service asks of V8, in its package.json. */
function flagsOf(service: string): readonly string[] {
  const read = createRequire(__filename);
  const { tender } = read(path.join(APPS, service, 'package.json')) as {
    tender?: { nodeFlags?: string[] };
  };
  return tender?.nodeFlags ?? [];
}
