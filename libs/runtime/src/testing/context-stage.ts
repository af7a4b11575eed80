import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { memoryInbox } from '@tender/adapter-memory';
import { fileKeyRing, inProcessCalls, systemRandom } from '@tender/adapter-system';
import {
  embeddedBus,
  keyRingTables,
  postgresEventStore,
  postgresReadModels,
  postgresSubjectKeys,
  realDelays,
} from '@tender/adapter-postgres';
import { patient, silentLog } from '@tender/adapter-postgres/testing';
import { allRoutes, type RequestContext } from '@tender/contracts';
import { noTelemetry, type Led, type Runtime, type StoredEvent } from '@tender/eventing';
import {
  ErrorFilter,
  openContexts,
  readQuery,
  routeReader,
  routerPath,
  RUNTIME,
  type HostedContext,
} from '@tender/http';
import { uuidOf } from '@tender/kernel';
import { BusTransport } from '../bus-transport';
import { programStage } from '../program-stage';
import { Work } from '../work';

export interface ContextStageOptions {
  readonly connectionString: string;
  readonly context: HostedContext;
  readonly providers?: readonly Provider[];
  /** Chains, rates and the like. */
  readonly ports: Partial<Runtime>;
  /** Other contexts, as far as this one hears them: their events are their public facts. */
  readonly speaker?: StageSpeaker | readonly StageSpeaker[];
}

interface StageSpeaker {
  readonly name: string;
  readonly categories: HostedContext['publishes']['categories'];
}

export interface StageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black box: the answers are what is under test
  readonly json: any;
}

/**
 * One context over real tables, log and bus, with its HTTP routes. There is no gateway: a test says what
 * the gateway would know of the caller.
 */
export async function contextStage(options: ContextStageOptions) {
  const { connectionString, context, ports } = options;
  const wall = (): number => Math.trunc(performance.timeOrigin + performance.now());
  let offset_ms = 0;
  const clock = { now: () => wall() + offset_ms, wall };
  const log = silentLog;
  const eventStore = postgresEventStore({ connectionString, clock, log, ...patient });
  await eventStore.start();
  const readModels = postgresReadModels({
    connectionString,
    schemas: [keyRingTables.schema, context.schema],
    migrations: [...keyRingTables.migrations, ...context.migrations],
    log,
  });
  await readModels.start();
  const keys = mkdtempSync(join(tmpdir(), 'tender-keys-'));
  const keyRing = fileKeyRing({ dir: keys, clock, subjectKeys: postgresSubjectKeys(readModels) });
  const said = ({ type, data }: StoredEvent) => ({ type, data });
  const speakers = [options.speaker ?? []].flat().map(({ name, categories }) => ({
    ...{ name, schema: name, publishes: { categories, publish: said } },
  }));
  const contexts = [context, ...speakers];
  const bus = embeddedBus({ eventStore, readModels, contexts, clock, log });
  const random = systemRandom();
  // Errors name the request that they are of: as one request, the same ones have the same bytes.
  const correlation_id = random.uuid();
  const calls = inProcessCalls(realDelays);
  const telemetry = noTelemetry;
  const mail = memoryInbox(clock);
  const base = {
    ...{ eventStore, readModels, bus, calls, keyRing, clock, random, log, telemetry, mail },
    signers: null,
  };
  const runtime = { ...base, ...ports } as Runtime;

  const opened = openContexts([context], runtime);
  const providers = [
    { provide: RUNTIME, useValue: runtime },
    ...(options.providers ?? []),
    ...opened.providers,
  ];
  @Module({})
  class Ports {}
  @Module({
    imports: [{ module: Ports, global: true, providers, exports: providers }, context.module],
  })
  class Stage {}
  const app = await NestFactory.create<NestFastifyApplication>(Stage, new FastifyAdapter(), {
    logger: false,
  });
  app.useGlobalFilters(new ErrorFilter(runtime));
  const transport = new BusTransport(bus);
  app.connectMicroservice({ strategy: transport });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, _, done) => {
    request.tender = JSON.parse(request.headers['x-caller'] as string) as RequestContext;
    done();
  });
  const readers = new Map(
    allRoutes.map((route) => [`${route.method} ${routerPath(route.path)}`, routeReader(route)]),
  );
  fastify.addHook('preValidation', (request, _, done) => {
    const reader = readers.get(`${request.method} ${request.routeOptions.url}`);
    if (reader) request.query = readQuery(request.raw.url as string, reader);
    done();
  });
  const work = new Work({ runtime, contexts: [context], opened, transport });
  const moved = { wall, offset: () => offset_ms, setOffset: () => undefined };
  const parts = { work: work.stage, clock: moved, log: eventStore, delays: realDelays };
  const whole = programStage(parts);
  await app.init();
  await app.startAllMicroservices();
  let led: Led | null = await work.start();

  return {
    runtime,
    app,
    advance: (by_ms: number) => void (offset_ms += by_ms),
    caller: (changes: Partial<RequestContext> = {}): RequestContext => ({
      ...STRANGER,
      command_id: random.uuid(),
      id_seed: random.bytes(16).toString('hex'),
      correlation_id,
      ...changes,
    }),
    send,
    /** Everything that was said has been heard or parked, and is in the tables. */
    settle: () => whole.idle(),
    /** Another process leads from now on: this one hears nothing and goes on answering. */
    async stepDown() {
      await led?.stop();
      led = null;
    },
    async leadAgain() {
      led = await work.start();
    },
    /** Says something in the name of another context. */
    async say(stream: StoredEvent['stream'], type: string, data: object) {
      const before = await eventStore.load(stream);
      const metadata = factMetadata(type, uuidOf(random.bytes(16)), stream, clock.now());
      const expected = before.length > 0 ? before.length - 1 : ('no_stream' as const);
      await eventStore.append(stream, [{ type, data, metadata }], expected);
    },
    async close() {
      await led?.stop();
      await app.close();
      await bus.close();
      keyRing.close();
      await eventStore.close();
      await readModels.close();
      rmSync(keys, { recursive: true, force: true });
    },
  };

  async function send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    caller: RequestContext,
    body?: object,
  ): Promise<StageAnswer> {
    const answer = await app.inject({
      method,
      url,
      headers: { 'x-caller': JSON.stringify(caller) },
      ...(body === undefined ? {} : { payload: body }),
    });
    const { statusCode: status, headers, body: text } = answer;
    return { status, headers, text, json: JSON.parse(text) as unknown };
  }
}

export type ContextStage = Awaited<ReturnType<typeof contextStage>>;

const STRANGER = {
  merchant_id: '',
  mode: 'test',
  merchant_name: '',
  wallet: null,
  amount_max: 99_999_999,
  actor: 'public',
  asker: { kind: 'public' },
  client_address: '192.0.2.1',
  body_hash: 'same body',
  min_position: null,
} as const;

function factMetadata(type: string, id: string, stream: StoredEvent['stream'], now_ms: number) {
  const at = new Date(now_ms).toISOString();
  const mode = stream.slice(0, stream.indexOf('-')).split('.')[1] as 'test' | 'live';
  return {
    ...{ id, type, mode, schema_version: 1, merchant_id: null, subject_ids: [], actor: 'system' },
    ...{ command_id: id, body_hash: null, correlation_id: id, causation_id: null },
    ...{ occurred_at: at, recorded_at: at, prev_hash: null },
  };
}
