import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from './client';
import { eventually } from './eventually';

const APPS = path.resolve(__dirname, '../..');
export const EMBEDDED_MAIN = path.join(APPS, 'embedded/dist/main.js');
const DISTRIBUTED_MAIN = path.join(APPS, 'distributed/dist/main.js');
const FAULTY_MAIN = path.join(APPS, 'scenarios/dist/faulty-main.js');
const FAULTY_SERVICE = path.join(APPS, 'scenarios/dist/faulty-service.js');
const SERVICES = ['GATEWAY', 'PAYMENTS', 'CHAIN_INDEXER', 'WEBHOOK_DISPATCHER'];

/** In the environment of the distributed run: a fault can be put in front of the ports of each service. */
export const FAULTY_SERVICES: Readonly<Record<string, string>> = Object.fromEntries(
  SERVICES.map((name) => [`MAIN_${name}`, FAULTY_SERVICE]),
);

/** Which run of the program the scenarios are about: one process, or services over one of two logs. */
export type Run = 'embedded' | 'postgres' | 'eventstore';
export const RUN = (process.env.TENDER_RUN || 'embedded') as Run;
const IS_DISTRIBUTED = RUN !== 'embedded';

export interface Ready {
  readonly url: string;
  readonly admin_token: string;
  readonly demo: { readonly api_key: string; readonly merchant_id: string };
  readonly postgres: { readonly connection_string: string };
  /** Of the distributed run. */
  readonly urls?: readonly string[];
  readonly eventstore?: { readonly connection_string: string } | null;
  readonly kafka?: { readonly brokers: string };
  /** Of each process. */
  readonly metrics_ports: readonly number[];
}

/** One run of the whole program as its user starts it: a process, a data folder, a URL. */
export class Program {
  private child: ChildProcess | null = null;
  private ready: Ready | null = null;
  /** What became of the services, oldest first: the distributed run starts each again by itself. */
  readonly news: News[] = [];
  private deaths_seen = 0;
  private commands = 0;
  private readonly answered = new Map<number, (error?: string) => void>();
  output = '';

  constructor(
    private readonly env: Readonly<Record<string, string>> = {},
    readonly data_dir = mkdtempSync(path.join(os.tmpdir(), 'tender scenario ')),
    /** What to run in place of the program of this tree. */
    private readonly main: string | null = null,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<Program> {
    const program = new Program(env);
    await program.start();
    return program;
  }

  /** Starts, or starts again on the same data. `faults` kills the process at a port border. */
  async start(faults?: string): Promise<Ready> {
    if (IS_DISTRIBUTED && this.isAlive()) return this.untilAllServe();
    const child = fork(this.main ?? mainOf(faults), [], {
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: '0',
        DATA_DIR: this.data_dir,
        RATE_LIMITS: 'off',
        ...this.env,
        ...(IS_DISTRIBUTED ? { EVENT_STORE: RUN } : {}),
        ...(faults ? faultyEnvironment(faults, this.data_dir) : {}),
      },
    });
    this.child = child;
    child.stdout?.on('data', (chunk) => (this.output += String(chunk)));
    child.stderr?.on('data', (chunk) => (this.output += String(chunk)));
    this.ready = await new Promise<Ready>((resolve, reject) => {
      child.on('message', (message: Ready | News | Done) => {
        if ('url' in message) resolve(message);
        else if (message.type === 'done') this.answered.get(message.id)?.(message.error);
        else this.news.push(message);
      });
      child.once('exit', (code, signal) =>
        reject(new Error(`the program ended with ${code ?? signal}:\n${this.output.slice(-4000)}`)),
      );
    });
    return this.ready;
  }

  get url(): string {
    return this.running.url;
  }

  get running(): Ready {
    if (!this.ready) throw new Error('the program has not been started');
    return this.ready;
  }

  /** What an operator's command is told to find this program. */
  operatorsEnv(): Record<string, string> {
    const EVENTSTORE_URL = this.running.eventstore?.connection_string ?? '';
    return { DATA_DIR: this.data_dir, EVENTSTORE_URL };
  }

  client(key: string | null = null): Client {
    return new Client(() => this.url, key);
  }

  admin(): Client {
    return this.client(this.running.admin_token);
  }

  /** Resolves when the process is gone, however it went. */
  async ended(): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => child.once('exit', () => resolve()));
  }

  /** How the process, or one of the services, ends by itself, which it must do within `wait_ms`. */
  endedWithin(wait_ms: number): Promise<string | number | null> {
    const end = async () => {
      const death = this.deaths[this.deaths_seen];
      return death?.how ?? this.child?.signalCode ?? this.child?.exitCode ?? null;
    };
    return eventually(end, (how) => how !== null, wait_ms).finally(() => (this.deaths_seen += 1));
  }

  private get deaths(): readonly News[] {
    return this.news.filter(({ type }) => type === 'ended');
  }

  private isAlive(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Every service that ended serves again. */
  async untilAllServe(): Promise<Ready> {
    const missing = async () => {
      const last = new Map(this.news.map(({ name, type }) => [name, type]));
      return [...last.values()].filter((type) => type === 'ended').length;
    };
    await eventually(missing, (count) => count === 0, 60_000);
    return this.running;
  }

  async kill(): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.ended();
  }

  /** A service of the distributed run, as the operating system knows it. */
  pidOf(service: string): number {
    const last = this.news.findLast(({ name, type }) => name === service && type === 'serving');
    if (!last?.pid) throw new Error(`${service} does not serve`);
    return last.pid;
  }

  /** Lets a service of `FAULTY_SERVICES` die at its next pass of that point: `append.after`. */
  strike(service: string, fault: string): void {
    writeFileSync(path.join(this.data_dir, 'fault'), fault);
    process.kill(this.pidOf(service), 'SIGUSR2');
  }

  /**
   * Lets a part that the distributed run has started fail, or starts it again where it was. Resolves when
   * that is done. `faults` are those of the event store's double.
   */
  async let(part: PartName, command: PartCommand, faults?: object): Promise<void> {
    this.commands += 1;
    const id = this.commands;
    const error = await new Promise<string | undefined>((resolve) => {
      this.answered.set(id, resolve);
      this.child?.send({ id, part, command, faults });
    });
    if (error) throw new Error(error);
  }

  /** Asks the program to stop, as Ctrl-C does. */
  async stop(): Promise<number | null> {
    this.child?.kill('SIGTERM');
    await this.ended();
    return this.child?.exitCode ?? null;
  }

  /** Stops it and removes its data. */
  async discard(): Promise<void> {
    await this.stop();
    rmSync(this.data_dir, { recursive: true, force: true });
  }
}

type PartName = 'postgres' | 'kafka' | 'eventstore';
type PartCommand = 'stop' | 'kill' | 'start' | 'pause' | 'resume' | 'misbehave';

interface Done {
  readonly type: 'done';
  readonly id: number;
  readonly error?: string;
}

interface News {
  readonly type: 'serving' | 'ended';
  readonly name: string;
  readonly pid: number | null;
  readonly how?: string;
}

function mainOf(faults: string | undefined): string {
  if (IS_DISTRIBUTED) return DISTRIBUTED_MAIN;
  return faults ? FAULTY_MAIN : EMBEDDED_MAIN;
}

/** In the distributed run every service has the fault in front of its ports; the first to reach it dies. */
function faultyEnvironment(FAULT: string, data_dir: string): Record<string, string> {
  if (!IS_DISTRIBUTED) return { FAULT };
  const FAULT_ONCE = path.join(data_dir, `fault ${FAULT}`);
  return { FAULT, FAULT_ONCE, ...FAULTY_SERVICES };
}
