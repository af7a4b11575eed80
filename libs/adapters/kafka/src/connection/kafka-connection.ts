import { Unavailable, type Delays, type Log } from '@tender/eventing';
import { logLevel, type Admin, type Kafka, type SASLOptions } from 'kafkajs';
import { kafkaClient } from './kafka-client';
import { unlessLost } from './unless-lost';

/** What the cluster asks for. */
export interface KafkaSecurity {
  /** Encrypted; the brokers' certificates are checked with what Node trusts. */
  readonly tls: boolean;
  readonly login: {
    readonly mechanism: 'scram-sha-512' | 'scram-sha-256' | 'plain';
    readonly username: string;
    readonly password: string;
  } | null;
}

export interface KafkaConnectionOptions {
  /** `host:port` */
  readonly brokers: readonly string[];
  /** By default in clear and without a login. */
  readonly security?: KafkaSecurity;
  readonly delays: Delays;
  readonly log: Log;
}

/** Given in full: kafkajs would take other values where NODE_ENV is `test`. Relays and consumers go on trying. */
const RETRY = { initialRetryTime: 50, maxRetryTime: 500, factor: 0.2, multiplier: 2, retries: 4 };
const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 8_000;

/** One cluster, as relay and bus see it. Connects when it is first needed. */
export class KafkaConnection {
  readonly kafka: Kafka;
  private opened: Promise<Admin> | null = null;
  private readonly delays: Delays;

  constructor({ brokers, security, delays, log }: KafkaConnectionOptions) {
    this.delays = delays;
    this.kafka = kafkaClient({
      clientId: 'tender',
      brokers: [...brokers],
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      enforceRequestTimeout: true,
      retry: { ...RETRY, restartOnFailure: () => Promise.resolve(false) },
      logLevel: logLevel.ERROR,
      // Its errors are ours to judge: each comes back as a rejected call, too.
      logCreator:
        () =>
        ({ namespace, log: { message, error } }) =>
          log.info({ part: 'kafka', namespace, error: String(error ?? '') }, message),
      ssl: security?.tls ?? false,
      // Each of our mechanisms is a case of kafkajs' own type.
      ...(security?.login ? { sasl: security.login as SASLOptions } : {}),
    });
  }

  /** Throws `Unavailable` when the cluster did not do it. */
  async admin<Result>(work: (admin: Admin) => Promise<Result>): Promise<Result> {
    this.opened ??= this.open();
    const opened = this.opened;
    try {
      return await unlessLost(this.delays, opened.then(work));
    } catch (error) {
      if (this.opened === opened) this.opened = null;
      void opened.then((admin) => admin.disconnect()).catch(() => undefined);
      throw kafkaFailure(error);
    }
  }

  /** Not waited for: kafkajs waits for the answers to come. */
  close(): void {
    const { opened } = this;
    this.opened = null;
    void opened?.then((admin) => admin.disconnect()).catch(() => undefined);
  }

  private async open(): Promise<Admin> {
    const admin = this.kafka.admin();
    await admin.connect();
    return admin;
  }
}

/** Whatever kafkajs threw, as the `Unavailable` of a port. */
export function kafkaFailure(error: unknown): Unavailable {
  if (error instanceof Unavailable) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new Unavailable('kafka', { cause: error, reason });
}
