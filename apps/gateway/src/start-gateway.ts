import {
  ACCOUNT_SETTINGS,
  accountsContext,
  AccountsModule,
  accountSettings,
  openKeyDirectory,
} from '@tender/accounts-features';
import { allRoutes, modeOfObject, SPEAKERS } from '@tender/contracts';
import { edgeServerOptions, forwardRoutes, gatewayTables, mountEdge } from '@tender/edge';
import { LOCAL_CHAIN, RATE_TABLE, STAGE } from '@tender/http';
import {
  localChain,
  openApp,
  openService,
  realDelays,
  remoteStage,
  SERVICE_URLS,
  SettingsFault,
  type App,
  type Closer,
  type DistributedRuntime,
  type GatewaySettings,
  type RunningService,
  type ServeOptions,
  type ServiceName,
  type ServiceSettings,
} from '@tender/runtime';
import { SANDBOX_SETTINGS, SandboxModule, sandboxSettings } from '@tender/sandbox-features';

type Settings = ServiceSettings & GatewaySettings;

/** Served in this process; every other context's routes are forwarded to its service. */
const OWN = new Set(['gateway', 'accounts', 'sandbox']);
const FORWARD_DEADLINE_MS = 10_000;
const PARTS = {
  name: 'gateway',
  contexts: [accountsContext],
  tables: [gatewayTables],
  speakers: SPEAKERS,
};

/** Starts the gateway; whatever it started is stopped again when a later part fails. */
export async function startGateway(
  settings: Settings,
  options: ServeOptions,
): Promise<RunningService> {
  const closers: Closer[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    mustKnowServices(settings);
    const opened = await openService(PARTS, settings, options, closers);
    const { runtime, transport, leading, offset_ms } = opened;
    const chain = settings.test_helpers ? openLocalChain(settings, closers) : null;
    if (offset_ms > 0) await chain?.setOffset(offset_ms);
    closers.push(() => leading.stop());

    const directory = openKeyDirectory(runtime, {
      alone: false,
      delays: realDelays,
      elapsed_ms: () => performance.now(),
    });
    // Where the gateway is reached; its port may be known only once it listens.
    const place = { url: settings.public_url ?? '' };
    const stage = remoteStage(leading.stage, Object.keys(SERVICE_URLS), runtime.calls);
    const app = await openApp({
      server: edgeServerOptions(),
      modules: [AccountsModule, ...(chain ? [SandboxModule] : [])],
      runtime,
      providers: [
        { provide: RATE_TABLE, useValue: runtime.rates },
        { provide: STAGE, useValue: stage },
        { provide: LOCAL_CHAIN, useValue: chain },
        { provide: SANDBOX_SETTINGS, useValue: sandboxSettings(place) },
        { provide: ACCOUNT_SETTINGS, useValue: accountSettings(place) },
      ],
      transport,
    });
    const edge = mountEdge(app.fastify, {
      ...{ routes: allRoutes, runtime, keys: directory, modeOfObject, delays: realDelays },
      ready: () => app.ready(),
      alone: false,
      config: { ...settings, test_helpers: chain !== null },
    });
    // Answers that are to be kept reach their table after the last request was answered.
    closers.push(() => edge.close());
    closers.push(() => app.end());
    forward(app, runtime);
    await app.startReactors();
    leading.start();
    const url = await app.listen(settings);
    place.url ||= url;
    closers.push(() => app.unready());
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function forward({ fastify }: App, { clients, log }: DistributedRuntime): void {
  forwardRoutes(fastify, {
    routes: allRoutes,
    own: OWN,
    log,
    async forward(context, request) {
      const client = clients.get(context);
      if (!client) throw new Error(`no service serves ${context}`);
      return client.send({ ...request, deadline_ms: FORWARD_DEADLINE_MS });
    },
  });
}

function openLocalChain({ local_networks }: Settings, closers: Closer[]) {
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
