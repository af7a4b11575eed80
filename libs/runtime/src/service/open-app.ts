import type { Server } from 'node:http';
import { Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Runtime } from '@tender/eventing';
import { ErrorFilter, RUNTIME } from '@tender/http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { BusTransport } from '../bus-transport';
import { diskHasRoom } from './disk-has-room';
import { endServer } from './end-server';
import { logAnswers } from './log-answers';

export interface AppParts {
  /** How the server is made. */
  readonly server: FastifyHttpOptions<Server>;
  readonly modules: readonly Type[];
  readonly runtime: Runtime;
  /** On a disk without room for it the process is not ready. */
  readonly data_dir: string;
  /** What the modules ask for beside the runtime. */
  readonly providers: readonly Provider[];
  /** Brings the bus to the reactors. */
  readonly transport: BusTransport;
}

export interface App {
  /** Hooks and routes are put in front before `listen`. */
  readonly fastify: FastifyInstance;
  /** Whether requests are served, and what they write can be kept. */
  ready(): Promise<boolean>;
  /** The reactors of all modules are known to the transport. */
  startReactors(): Promise<unknown>;
  /** Everything is made and answers questions, where nothing is listened for. */
  answer(): Promise<unknown>;
  /** Answers with the URL that is listened on. */
  listen(at: { readonly host: string; readonly port: number }): Promise<string>;
  /** From now on `ready` is false: a load balancer sends no more requests here. */
  unready(): void;
  /** Takes no more requests and waits for the answers. */
  end(): Promise<void>;
}

/** Connections that wait to be taken; where a burst is larger, the system resets some. Node's own is 511. */
const BACKLOG = 4_096;

@Module({})
class PortsModule {}

@Module({})
class AppModule {}

/** The modules of one process over its ports. Nothing listens yet. */
export async function openApp(parts: AppParts): Promise<App> {
  const { modules, runtime, transport, data_dir } = parts;
  const providers = [{ provide: RUNTIME, useValue: runtime }, ...parts.providers];
  const ports = { module: PortsModule, global: true, providers, exports: providers };
  const adapter = new FastifyAdapter(parts.server);
  const app = await NestFactory.create<NestFastifyApplication>(
    { module: AppModule, imports: [ports, ...modules] },
    adapter,
    { logger: false, bodyParser: false, abortOnError: false },
  );
  app.useGlobalFilters(new ErrorFilter(runtime));
  app.connectMicroservice({ strategy: transport });
  const hasRoom = diskHasRoom(data_dir, runtime.log);
  let serving = false;
  return {
    fastify: adapter.getInstance(),
    ready: async () => serving && (await hasRoom()) && (await logAnswers(runtime.eventStore)),
    startReactors: () => app.startAllMicroservices(),
    answer: () => app.init(),
    async listen({ host, port }) {
      await app.listen({ port, host, backlog: BACKLOG });
      serving = true;
      const bound = adapter.getHttpServer().address() as { readonly port: number };
      return `http://${host}:${bound.port}`;
    },
    unready() {
      serving = false;
    },
    end: () => endServer(app),
  };
}
