import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { accountsContext, openKeyDirectory, type KeyDirectory } from '@tender/accounts-features';
import { allRoutes, modeOfObject, SPEAKERS } from '@tender/contracts';
import { edgeServerOptions, forwardRoutes, gatewayTables, mountEdge, type Edge } from '@tender/edge';
import { followClock } from '@tender/eventing';
import { ErrorFilter } from '@tender/http';
import {
  BusTransport,
  distributed,
  endServer,
  leadService,
  localChain,
  realDelays,
  remoteStage,
  SERVICE_URLS,
  SettingsFault,
  type DistributedRuntime,
  type GatewaySettings,
  type RunningService,
  type ServeOptions,
  type ServiceName,
  type ServiceSettings,
} from '@tender/runtime';
import { gatewayModule } from './gateway.module';

type Settings = ServiceSettings & GatewaySettings;
type Closers = (() => Promise<unknown>)[];

/** Served in this process; every other context's routes are forwarded to its service. */
const OWN = new Set(['gateway', 'accounts', 'sandbox']);
const FORWARD_DEADLINE_MS = 10_000;

/** Starts the gateway; whatever it started is stopped again when a later part fails. */
export async function startGateway(
  settings: Settings,
  { log, telemetry, lost, decorate }: ServeOptions,
): Promise<RunningService> {
  const closers: Closers = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    mustKnowServices(settings);
    const contexts = [accountsContext];
    const runtime = await distributed(
      { name: 'gateway', contexts, tables: [gatewayTables], speakers: SPEAKERS },
      settings,
      { log, telemetry },
      decorate,
    );
    closers.push(() => runtime.close());
    const { offset_ms, follower } = await followClock(runtime.eventStore, runtime.clock);
    closers.push(() => follower.stop());
    const chain = settings.test_helpers ? openLocalChain(settings, closers) : null;
    if (offset_ms > 0) await chain?.setOffset(offset_ms);

    const transport = new BusTransport(runtime.bus, { waits: true });
    const leading = leadService('gateway', runtime, contexts, transport, lost);
    closers.push(() => leading.stop());
    const stage = remoteStage(leading.stage, Object.keys(SERVICE_URLS), runtime.calls);
    const directory = openKeyDirectory(runtime, {
      alone: false,
      delays: realDelays,
      elapsed_ms: () => performance.now(),
    });
    const place = { url: settings.public_url ?? '' };
    const adapter = new FastifyAdapter(edgeServerOptions());
    const app = await NestFactory.create<NestFastifyApplication>(
      gatewayModule({ runtime, stage, localChain: chain, place }),
      adapter,
      { logger: false, bodyParser: false, abortOnError: false },
    );
    // Answers that are to be kept reach their table after the last request was answered.
    let edge: Edge | null = null;
    closers.push(async () => edge?.close());
    closers.push(() => endServer(app));
    app.useGlobalFilters(new ErrorFilter(runtime));
    app.connectMicroservice({ strategy: transport });
    const served = { directory, testHelpers: chain !== null };
    const serving = mountRoutes(adapter, runtime, settings, served);
    edge = serving.edge;
    await app.startAllMicroservices();
    leading.start();
    await app.listen(settings.port, settings.host);
    const { port } = adapter.getHttpServer().address() as { port: number };
    const url = `http://${settings.host}:${port}`;
    place.url ||= url;
    serving.begin();
    // First of all: whoever spreads requests shall send no more of them here.
    closers.push(async () => serving.end());
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function mountRoutes(
  adapter: FastifyAdapter,
  runtime: DistributedRuntime,
  settings: Settings,
  { directory, testHelpers }: { readonly directory: KeyDirectory; readonly testHelpers: boolean },
): { readonly edge: Edge; begin(): void; end(): void } {
  let serving = false;
  const edge = mountEdge(adapter.getInstance(), {
    routes: allRoutes,
    runtime,
    authenticate: (hash) => directory.authenticate(hash),
    keyUsed: (key_id) => directory.used(key_id),
    modeOfObject,
    ready: async () => serving,
    delays: realDelays,
    alone: false,
    config: {
      rateLimits: settings.rate_limits,
      adminToken: settings.admin_token,
      testHelpers,
      signupToken: settings.signup_token,
      publicUrl: settings.public_url,
    },
  });
  forwardRoutes(adapter.getInstance(), {
    routes: allRoutes,
    own: OWN,
    log: runtime.log,
    async forward(context, request) {
      const client = runtime.clients.get(context);
      if (!client) throw new Error(`no service serves ${context}`);
      return client.send({ ...request, deadline_ms: FORWARD_DEADLINE_MS });
    },
  });
  return {
    edge,
    begin() {
      serving = true;
    },
    end() {
      serving = false;
    },
  };
}

function openLocalChain({ local_networks }: Settings, closers: Closers) {
  if (local_networks === null) return null;
  const chain = localChain(local_networks);
  closers.push(() => chain.close());
  return chain;
}

/** Without its address a service's routes would answer 503 for ever. */
function mustKnowServices({ services }: Settings): void {
  for (const service of Object.keys(SERVICE_URLS) as ServiceName[]) {
    if (services[service].length > 0) continue;
    throw new SettingsFault(`${SERVICE_URLS[service]} is not set. It names where ${service} is reached.`);
  }
}
