import 'reflect-metadata';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { followClock, type Context, type Log, type Telemetry } from '@tender/eventing';
import {
  ErrorFilter,
  mountService,
  RUNTIME,
  serviceServerOptions,
  type ServiceOptions,
} from '@tender/http';
import { BusTransport } from '../bus-transport';
import { distributed, type Speaker } from '../distributed';
import type { Faultable } from '../embedded';
import type { ServiceSettings } from '../settings/service-settings';
import { endServer } from './end-server';
import { leadService } from './lead';
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

export interface ServeOptions {
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** The lease went to another replica: the process must end. */
  readonly lost: () => void;
  /** Puts something between the service and its ports; tests only. */
  readonly decorate?: ((parts: Faultable) => Faultable) | undefined;
}

/** Starts one service; whatever it started is stopped again when a later part fails. */
export async function serveService(
  service: Service,
  settings: ServiceSettings,
  { log, telemetry, lost, decorate }: ServeOptions,
): Promise<RunningService> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  const { name, context, speakers } = service;
  try {
    const runtime = await distributed(
      { name, contexts: [context], tables: [], speakers },
      settings,
      { log, telemetry },
      decorate,
    );
    closers.push(() => runtime.close());
    const { follower } = await followClock(runtime.eventStore, runtime.clock);
    closers.push(() => follower.stop());

    const transport = new BusTransport(runtime.bus, { waits: true });
    const adapter = new FastifyAdapter(serviceServerOptions());
    const providers = [{ provide: RUNTIME, useValue: runtime }, ...service.providers(settings)];
    const app = await NestFactory.create<NestFastifyApplication>(
      moduleOf(service.module, providers),
      adapter,
      { logger: false, bodyParser: false, abortOnError: false },
    );
    closers.push(() => endServer(app));
    app.useGlobalFilters(new ErrorFilter(runtime));
    app.connectMicroservice({ strategy: transport });

    const leading = leadService(name, runtime, [context], transport, lost);
    closers.push(() => leading.stop());
    let serving = false;
    mountService(adapter.getInstance(), {
      routes: service.routes,
      seal: runtime.seal,
      log,
      telemetry,
      answerCall: (question, input) => runtime.local_calls.answerTo(question, input),
      standsBy: (question) => !isStageCall(question) && !leading.leads(),
      ready: async () => serving,
    });
    await app.startAllMicroservices();
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
    await app.listen(settings.port, settings.host);
    const { port } = adapter.getHttpServer().address() as { port: number };
    serving = true;
    // First of all: whoever spreads requests shall send no more of them here.
    closers.push(async () => (serving = false));
    return { url: `http://${settings.host}:${port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

class PortsModule {}
class ServiceModule {}

const moduleOf = (module: Type, providers: Provider[]): DynamicModule => ({
  module: ServiceModule,
  imports: [{ module: PortsModule, global: true, providers, exports: providers }, module],
});
