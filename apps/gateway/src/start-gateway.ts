import { accountsContext, KEY_DIRECTORY, openKeyDirectory, openSessions, openSetups, SESSIONS } from '@tender/accounts-features';
import { checkoutContext } from '@tender/checkout-features';
import { allRoutes, houseOf } from '@tender/contracts';
import { edgeServerOptions, forwardRoutes, gatewayTables, mountEdge } from '@tender/edge';
import { LOCAL_CHAIN, RATE_TABLE, settingsOf, STAGE } from '@tender/http';
import {
  atEndOfTurn,
  hostsAll,
  localChain,
  openApp,
  openService,
  placeOfService,
  realDelays,
  remoteStage,
  serveCalls,
  type App,
  type CallsServer,
  type Closer,
  type DistributedRuntime,
  type GatewaySettings,
  type RunningService,
  type ServeOptions,
  type ServiceSettings,
} from '@tender/runtime';
import { sandboxContext } from '@tender/sandbox-features';

interface Settings extends ServiceSettings, GatewaySettings {
  /** Where other services ask the contexts that are hosted here; 0 takes any free port. */
  readonly internal_port: number;
}

const { name, hosts, speakers, hostOf } = houseOf('gateway');
/** Served in this process; every other context's routes are forwarded to its service. */
const OWN = new Set<string>(['gateway', ...hosts]);
const FORWARD_DEADLINE_MS = 10_000;
const CONTEXTS = [accountsContext, sandboxContext, checkoutContext];
hostsAll(name, hosts, CONTEXTS);

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
    const chain = settings.test_helpers ? openLocalChain(settings, closers) : null;
    const served = CONTEXTS.filter((context) => context !== sandboxContext || chain !== null);
    const place = placeOfService(settings);
    const told = settingsOf(served, options.env, place);
    const parts = { name, contexts: CONTEXTS, speakers, hostOf, tables: [gatewayTables] };
    const opened = await openService(parts, settings, options, closers);
    const { runtime, transport, leading, offset_ms } = opened;
    if (offset_ms > 0) await chain?.setOffset(offset_ms);
    const asked: { server: CallsServer | null } = { server: null };
    // The leader answers its questions until it no longer leads.
    closers.push(() => asked.server?.close());
    closers.push(() => leading.stop());

    const directory = openKeyDirectory(runtime, {
      alone: false,
      delays: realDelays,
      elapsed_ms: () => performance.now(),
    });
    closers.push(() => directory.close());
    const sessions = openSessions(runtime, directory, place);
    const others = [...settings.services.keys()].filter((service) => service !== name);
    const stage = remoteStage(opened.stage, others, runtime);
    const app = await openApp({
      server: edgeServerOptions(),
      modules: served.map(({ module }) => module),
      ...{ runtime, data_dir: settings.data_dir },
      providers: [
        ...told,
        ...opened.providers,
        { provide: KEY_DIRECTORY, useValue: directory },
        { provide: SESSIONS, useValue: sessions },
        { provide: RATE_TABLE, useValue: runtime.rates },
        { provide: STAGE, useValue: stage },
        { provide: LOCAL_CHAIN, useValue: chain },
      ],
      transport,
    });
    const edge = mountEdge(app.fastify, {
      ...{ routes: allRoutes, runtime, keys: directory, sessions, delays: realDelays, atEndOfTurn },
      ...{ setups: openSetups(runtime, directory), approval_url: () => settings.approval_url },
      ready: () => app.ready(),
      alone: false,
      error_page: checkoutContext.error_page,
      config: { ...settings, test_helpers: chain !== null },
    });
    // Answers that are to be kept reach their table after the last request was answered.
    closers.push(() => edge.close());
    closers.push(() => app.end());
    forward(app, runtime);
    await app.startReactors();
    leading.start();
    asked.server = await serveCalls(runtime, { ...settings, port: settings.internal_port });
    const url = await app.listen(settings);
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
      const client = clients.get(hostOf(context));
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
