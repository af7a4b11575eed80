import {
  consumerRecords,
  postgresEventStore,
  postgresReadModels,
  realDelays,
} from '@tender/adapter-postgres';
import type { Bus, Consumer, EventStore, Log, ReadModels } from '@tender/eventing';
import { conformanceRetryDelay, conformanceContexts } from '@tender/eventing/testing';
import { patient, silentLog, systemClock } from '@tender/adapter-postgres/testing';
import { kafkaBus, kafkaRelay, type KafkaRelay } from '../index';
import { speakerOf } from '../topics/topics';

export async function serviceLog(database: string) {
  const store = postgresEventStore({
    connectionString: database,
    clock: systemClock,
    log: silentLog,
    ...patient,
    recent_max: 64,
  });
  await store.start();
  return store;
}

export interface ServiceOptions {
  readonly store: EventStore;
  readonly database: string;
  readonly namespace: string;
  readonly brokers: readonly string[];
  readonly log?: Log;
  /** Only the consumers: another service owns the topics. */
  readonly without_relay?: boolean;
  readonly session_timeout_ms?: number;
  /** What the relay is given in place of the read models. */
  readonly relayModels?: (readModels: ReadModels) => ReadModels;
}

/** A service as the distributed run has it: read models, a relay for its context, a bus. */
export async function openService(options: ServiceOptions) {
  const { store, database, namespace, brokers, log = silentLog, without_relay } = options;
  const readModels = postgresReadModels({
    connectionString: database,
    schemas: conformanceContexts.map(({ schema }) => schema),
    migrations: [],
    log,
    pool_max: 6,
  });
  await readModels.start();
  const ports = { brokers, namespace, contexts: conformanceContexts, clock: systemClock, log };
  const delays = realDelays;
  const relay: KafkaRelay = kafkaRelay({
    ...ports,
    ...{ delays, eventStore: store },
    readModels: options.relayModels?.(readModels) ?? readModels,
  });
  if (!without_relay) await relay.start();
  const real = kafkaBus({
    ...ports,
    askProgress: async (...asked) => relay.tellProgress(...asked),
    delays,
    speakers: conformanceContexts.map(speakerOf),
    recordsOf: consumerRecords(readModels, conformanceContexts),
    eventStore: store,
    retry_delay_ms: conformanceRetryDelay,
    session_timeout_ms: options.session_timeout_ms ?? 2_000,
  });
  const bus: Bus = {
    async consume(subscription): Promise<Consumer> {
      const consumer = await real.consume(subscription);
      return {
        nextTry: () => consumer.nextTry(),
        async idle() {
          await relay.idle();
          await consumer.idle();
        },
        stop: () => consumer.stop(),
      };
    },
  };
  return {
    bus,
    relay,
    readModels,
    async close() {
      await relay.stop();
      await real.close();
      await readModels.close();
    },
  };
}
