import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '../child';
import { meterCpu, secondsOf, type Metered } from '../machine/cpu-meter';
import { inspectServer, type Server } from '../machine/postgres';
import { processTree } from '../machine/processes';
import { request, type Answer } from './request';

const ROOT = path.resolve(__dirname, '../../../..');

/** One process with everything, or one per service over a log in Postgres or an event store. */
export type Run = 'embedded' | 'postgres' | 'eventstore';

interface Ready {
  /** Other types report services that come and go. */
  readonly type: string;
  readonly url: string;
  readonly admin_token: string;
  readonly demo: { readonly api_key: string; readonly merchant_id: string };
  readonly postgres: { readonly connection_string: string };
  /** Of the distributed run. */
  readonly processes?: readonly { readonly name: string; readonly pid: number }[];
}

export interface ProductOptions {
  readonly data_dir: string;
  /** `embedded` by default. */
  readonly run?: Run;
  readonly env?: Readonly<Record<string, string>>;
  /** Writes a CPU profile into this folder when it ends. */
  readonly profile?: string | null;
}

/** The whole program as its user starts it, with limits raised by configuration. */
export class Product {
  private constructor(
    private readonly child: Child,
    readonly ready: Ready,
    readonly server: Server,
    readonly metered: Metered,
    readonly data_dir: string,
    /** From the start of the process to its ready message. */
    readonly boot_ms: number,
  ) {}

  static async start(options: ProductOptions): Promise<Product> {
    const began = performance.now();
    const { run = 'embedded', profile, data_dir } = options;
    const program = run === 'embedded' ? 'embedded' : 'distributed';
    const profiling = profile
      ? ['--cpu-prof', `--cpu-prof-dir=${profile}`, '--cpu-prof-interval=500']
      : [];
    const child = Child.start(path.join(ROOT, 'dist', `${program}.js`), {
      execArgv: [...flagsOf(program), ...(run === 'embedded' ? profiling : [])],
      env: {
        ...process.env,
        // Services are processes of a process, and what is to reach them goes this way.
        NODE_OPTIONS: run === 'embedded' ? '' : profiling.join(' '),
        DATABASE_URL: '',
        EVENTSTORE_URL: '',
        KAFKA_BROKERS: '',
        EVENT_STORE: run === 'eventstore' ? 'eventstore' : 'postgres',
        PORT: '0',
        DATA_DIR: data_dir,
        RATE_LIMITS: 'off',
        WEBHOOK_ALLOW_LOOPBACK: 'true',
        ...options.env,
      },
    });
    try {
      const ready = await child.message<Ready>(({ type }) => type === 'ready');
      const boot_ms = performance.now() - began;
      const server = await inspectServer(ready.postgres.connection_string);
      const metered = await meteredOf(child.pid, ready, server);
      return new Product(child, ready, server, metered, data_dir, boot_ms);
    } catch (error) {
      await child.stop('SIGKILL').catch(() => undefined);
      throw error;
    }
  }

  get url(): string {
    return this.ready.url;
  }

  get pid(): number {
    return this.child.pid;
  }

  /** Names of its services, by process id; empty where one process does everything. */
  get names(): ReadonlyMap<number, string> {
    return new Map((this.ready.processes ?? []).map(({ name, pid }) => [pid, name]));
  }

  /** With the demo merchant's test key, unless another is given; null sends none. */
  ask(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: unknown,
    options: { key?: string | null; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const key = options.key === undefined ? this.ready.demo.api_key : options.key;
    return request(this.url, method, path, body, {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...options.headers,
    });
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

/** As `npm start` gives them. */
const flagsOf = (program: string): readonly string[] =>
  (
    JSON.parse(readFileSync(path.join(ROOT, 'apps', program, 'package.json'), 'utf8')) as {
      readonly tender: { readonly nodeFlags: readonly string[] };
    }
  ).tender.nodeFlags;

const SETTLE_MS = 2_000;
const REST_MS = 1_000;

/** Services and their broker never rest altogether: they report their progress to each other. */
async function meteredOf(
  pid: number,
  { processes }: Ready,
  { postmaster }: Server,
): Promise<Metered> {
  if (!processes) return { node: pid, postmaster };
  const pids = Object.fromEntries(processes.map(({ name, pid: of }) => [name, of]));
  const { gateway, ...others } = pids;
  const broker = processTree(pid).find(({ name }) => name === 'java');
  if (broker) others['kafka'] = broker.pid;
  const metered = { node: gateway ?? pid, others, postmaster };
  await sleep(SETTLE_MS);
  const rest = meterCpu(metered);
  await sleep(REST_MS);
  return { ...metered, resting_cores: secondsOf(rest()) / (REST_MS / 1000) };
}
