import 'reflect-metadata';
import type { Provider, Type } from '@nestjs/common';
import type { Context } from '@tender/eventing';
import { mountService, serviceServerOptions, type ServiceOptions } from '@tender/http';
import type { Speaker } from '../distributed';
import type { Closer } from '../open-tables';
import type { ServiceSettings } from '../settings/service-settings';
import { openApp } from './open-app';
import { openService, type ServeOptions } from './open-service';
import { isStageCall, stageIdle, stageNextDue } from './remote-stage';

/** All that a service is, beside its settings: `apps/<service>/src/main.ts`. */
export interface Service {
  readonly name: string;
  readonly context: Context;
  readonly module: Type;
  /** What the gateway forwards to it. */
  readonly routes: ServiceOptions['routes'];
  /** Whose public events there are to hear. */
  readonly speakers: readonly Speaker[];
  /** What its module asks for beside the runtime. */
  readonly providers: (settings: ServiceSettings) => readonly Provider[];
}

export interface RunningService {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one service; whatever it started is stopped again when a later part fails. */
export async function serveService(
  { name, context, speakers, ...service }: Service,
  settings: ServiceSettings,
  options: ServeOptions,
): Promise<RunningService> {
  const closers: Closer[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const parts = { name, contexts: [context], tables: [], speakers };
    const { runtime, transport, leading } = await openService(parts, settings, options, closers);
    const app = await openApp({
      server: serviceServerOptions(),
      modules: [service.module],
      runtime,
      providers: service.providers(settings),
      transport,
    });
    closers.push(() => app.end());
    closers.push(() => leading.stop());
    mountService(app.fastify, {
      ...{ routes: service.routes, seal: runtime.seal, log: runtime.log },
      telemetry: runtime.telemetry,
      answerCall: (question, input) => runtime.local_calls.answerTo(question, input),
      standsBy: (question) => !isStageCall(question) && !leading.leads(),
      ready: () => app.ready(),
    });
    await app.startReactors();
    leading.start();
    runtime.calls.answer(stageIdle(name), async ({ offset_ms }) => {
      runtime.clock.setOffset(offset_ms);
      const leads = leading.leads();
      await leading.stage.idle();
      return { leads };
    });
    runtime.calls.answer(stageNextDue(name), async () => {
      return { next_due_ms: await leading.stage.nextDue() };
    });
    const url = await app.listen(settings);
    closers.push(() => app.unready());
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
