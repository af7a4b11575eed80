import 'reflect-metadata';
import { realDelays } from '@tender/adapter-postgres';
import { mountService, settingsOf, serviceServerOptions, type HostedContext } from '@tender/http';
import type { ServiceOptions } from '@tender/http';
import { invariant } from '@tender/kernel';
import type { Speaker } from '../distributed';
import type { Closer } from '../open-tables';
import type { Neighbours, ServiceSettings } from '../settings/service-settings';
import { openApp } from './open-app';
import { openService, type ServeOptions } from './open-service';
import { placeOfService } from './place-of-service';
import { answeringOf } from './serve-calls';
import { stageIdle, stageNextDue } from './remote-stage';

/** What the catalogue says of a service. */
export interface House extends Neighbours {
  /** Names of the contexts that it hosts. */
  readonly hosts: readonly string[];
  /** What the gateway forwards to it. */
  readonly routes: ServiceOptions['routes'];
  /** Whose public events there are to hear. */
  readonly speakers: readonly Speaker[];
  /** The service that hosts the context of that name. */
  readonly hostOf: (context: string) => string;
}

/** All that a service is, beside its settings: `apps/<service>/src/main.ts`. */
export interface Service extends House {
  /** Those that it hosts; the first one keeps the lease. */
  readonly contexts: readonly HostedContext[];
}

export interface RunningService {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one service; whatever it started is stopped again when a later part fails. */
export async function serveService(
  { name, hosts, contexts, speakers, routes, hostOf }: Service,
  settings: ServiceSettings,
  options: ServeOptions,
): Promise<RunningService> {
  const closers: Closer[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    hostsAll(name, hosts, contexts);
    const told = settingsOf(contexts, options.env, placeOfService(settings));
    const parts = { name, contexts, tables: [], speakers, hostOf };
    const opened = await openService(parts, settings, options, closers);
    const { runtime, transport, leading, stage } = opened;
    const app = await openApp({
      server: serviceServerOptions(),
      modules: contexts.map(({ module }) => module),
      providers: [...told, ...opened.providers],
      ...{ runtime, transport, data_dir: settings.data_dir },
    });
    closers.push(() => app.end());
    closers.push(() => leading.stop());
    mountService(app.fastify, {
      ...{ routes, seal: runtime.seal, log: runtime.log, telemetry: runtime.telemetry },
      delays: realDelays,
      ...answeringOf(runtime),
      ready: () => app.ready(),
    });
    await app.startReactors();
    leading.start();
    runtime.calls.answer(stageIdle(name), async ({ offset_ms }) => {
      runtime.clock.setOffset(offset_ms);
      const { leads } = runtime.standing;
      await stage.idle();
      // A replica that has stepped down meanwhile cannot say that all is done.
      const newest = await runtime.eventStore.newest();
      return { leads: leads && runtime.standing.leads, newest };
    });
    runtime.calls.answer(stageNextDue(name), async () => {
      return { next_due_ms: await stage.nextDue() };
    });
    const url = await app.listen(settings);
    closers.push(() => app.unready());
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A context that the catalogue gives to this service, and that no process hosts, would be 404 for ever. */
export function hostsAll(
  service: string,
  hosts: readonly string[],
  contexts: readonly Pick<HostedContext, 'name'>[],
): void {
  const names = contexts.map(({ name }) => name);
  const same = names.length === hosts.length && hosts.every((name) => names.includes(name));
  invariant(same, `${service} hosts ${hosts.join(', ')}, as the catalogue says, not ${names.join(', ')}`);
}
