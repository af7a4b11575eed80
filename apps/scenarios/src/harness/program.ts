import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eventually } from './eventually';
import { RUN, RunningProgram, type Ready } from './running-program';

const BUNDLES = path.resolve(__dirname, '../../../../dist');
export const EMBEDDED_MAIN = path.join(BUNDLES, 'embedded.js');
const DISTRIBUTED_MAIN = path.join(BUNDLES, 'distributed.js');
const FAULTY_MAIN = path.join(BUNDLES, 'faulty-embedded.js');
const FAULTY_SERVICE = path.join(BUNDLES, 'faulty-service.js');

/** In the environment of the distributed run: a fault can be put in front of the ports of each service. */
export const FAULTY_SERVICES: Readonly<Record<string, string>> = { SERVICE_MAIN: FAULTY_SERVICE };

/** What services stand on. */
const PARTS: ReadonlySet<string> = new Set(['postgres', 'kafka', 'eventstore', 'localnet']);

const IS_DISTRIBUTED = RUN !== 'embedded';

/** One run of the whole program as its user starts it: a process, a data folder, a URL. */
export class Program extends RunningProgram {
  private child: ChildProcess | null = null;
  /** What became of the services, oldest first: the distributed run starts each again by itself. */
  readonly news: News[] = [];
  private deaths_seen = 0;
  private struck: Strike = { services: [], from: 0 };
  private commands = 0;
  private readonly answered = new Map<number, (error?: string) => void>();
  output = '';

  constructor(
    private readonly env: Readonly<Record<string, string>> = {},
    readonly data_dir = mkdtempSync(path.join(os.tmpdir(), 'tender scenario ')),
    /** What to run in place of the program of this tree. */
    private readonly main: string | null = null,
  ) {
    super(null);
  }

  static async start(
    env: Readonly<Record<string, string>> = {},
    fault?: Fault,
  ): Promise<Program> {
    const program = new Program(env);
    await program.start(fault);
    return program;
  }

  /** Starts, or starts again on the same data. `fault` is what a port border does: `FAULT` kills there. */
  async start(fault?: Fault): Promise<Ready> {
    if (IS_DISTRIBUTED && this.isAlive()) return this.untilAllServe();
    const child = fork(this.main ?? mainOf(fault), [], {
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: '0',
        DATA_DIR: this.data_dir,
        RATE_LIMITS: 'off',
        // On a cluster that others use, too, the topics of this program are its own.
        KAFKA_NAMESPACE: process.env.KAFKA_BROKERS ? `${path.basename(this.data_dir)}.`.replace(/ /g, '-') : '',
        ...this.env,
        ...(IS_DISTRIBUTED ? { EVENT_STORE: RUN } : {}),
        ...(fault ? faultyEnvironment(fault, this.data_dir) : {}),
      },
    });
    this.child = child;
    const before = this.output.length;
    child.stdout?.on('data', (chunk) => (this.output += String(chunk)));
    child.stderr?.on('data', (chunk) => (this.output += String(chunk)));
    this.ready = await new Promise<Ready>((resolve, reject) => {
      child.on('message', (message: Ready | News | Done) => {
        if ('url' in message) resolve(message);
        else if (message.type === 'done') this.answered.get(message.id)?.(message.error);
        else this.news.push(message);
      });
      child.once('exit', (code, signal) =>
        reject(new Error(`the program ended with ${code ?? signal}:\n${this.output.slice(before).slice(-4000)}`)),
      );
    });
    return this.ready;
  }

  /** The settings by which an operator's command finds this program. */
  operatorsEnv(): Record<string, string> {
    const EVENTSTORE_URL = this.running.eventstore?.connection_string ?? '';
    return { DATA_DIR: this.data_dir, EVENTSTORE_URL };
  }

  /** Resolves when the process is gone, however it went. */
  async ended(): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => child.once('exit', () => resolve()));
  }

  /** How the process, or one of the services, ends by itself; it is waited for. */
  death(): Promise<string | number | null> {
    const end = async () => {
      const death = this.deaths[this.deaths_seen];
      return death?.how ?? this.child?.signalCode ?? this.child?.exitCode ?? null;
    };
    return eventually(end, (how) => how !== null).finally(() => (this.deaths_seen += 1));
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
    await eventually(missing, (count) => count === 0);
    return this.running;
  }

  async kill(): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.ended();
  }

  /** How often processes of these names have ended by themselves. */
  deathsOf(names: readonly string[]): number {
    return this.deaths.filter(({ name }) => names.includes(name)).length;
  }

  /** Whether the program has ever told that this process of its own serves. */
  hasServed(service: string): boolean {
    return this.news.some(({ name, type }) => name === service && type === 'serving');
  }

  /** A process that the program has started, as the operating system knows it. */
  pidOf(service: string): number {
    const last = this.news.findLast(({ name, type }) => name === service && type === 'serving');
    if (!last?.pid) throw new Error(`${service} does not serve`);
    return last.pid;
  }

  /**
   * Stops every process of Tender where it is, signers included; the chain and the databases go on. Answers the names
   * of those processes, and what lets them go on.
   */
  stopServices(): { readonly stopped: readonly string[]; goOn(): void } {
    const names = this.news.filter(({ type }) => type === 'serving').map(({ name }) => name);
    const of_tender = new Set(names.filter((name) => !PARTS.has(name)));
    const pids = [...of_tender].map((name) => this.pidOf(name));
    const send = (signal: NodeJS.Signals) => pids.forEach((pid) => process.kill(pid, signal));
    send('SIGSTOP');
    return { stopped: [...of_tender], goOn: () => send('SIGCONT') };
  }

  /**
   * Makes services of a program that was started with faults die as soon as `at`, the first of them unless it is
   * another one, is at that point: `append.after`. In one process that is the whole program, but for the signers.
   * Resolves once the point is watched.
   */
  async strike(services: readonly string[], fault: string, at = services[0] ?? ''): Promise<void> {
    // One that has just ended by itself has no process to watch.
    await this.untilAllServe();
    const watching = this.processOf(at);
    const dying = [...new Set(services.map((name) => this.processOf(name)))];
    // The one that kills the others is the last to die.
    const others = dying.filter((pid) => pid !== watching);
    const last_itself = [...others, ...dying.filter((pid) => pid === watching)];
    const file = path.join(this.data_dir, 'fault');
    this.struck = { services, from: this.news.length };
    writeFileSync(file, [fault, ...last_itself].join(' '));
    process.kill(watching, 'SIGUSR2');
    await eventually(async () => existsSync(file), (is_unread) => !is_unread);
  }

  private processOf(service: string): number {
    const is_own = IS_DISTRIBUTED || this.hasServed(service);
    return is_own ? this.pidOf(service) : (this.child?.pid ?? 0);
  }

  /** All that were struck have died of it, and serve again. */
  async rises(): Promise<void> {
    const { services } = this.struck;
    const is_whole = services.some((name) => this.processOf(name) === this.child?.pid);
    if (is_whole) {
      if ((await this.end()) !== 'SIGKILL') throw new Error(`no kill ended it: ${this.output}`);
      await this.start({});
    } else await eventually(async () => this.survivors(), ({ length }) => length === 0);
    await this.untilAllServe();
  }

  private end(): Promise<string | number | null> {
    const how = async () => this.child?.signalCode ?? this.child?.exitCode ?? null;
    return eventually(how, (ended) => ended !== null);
  }

  private survivors(): readonly string[] {
    const { services, from } = this.struck;
    const ended = this.news.slice(from).filter(({ how }) => how === 'SIGKILL');
    return services.filter((service) => !ended.some(({ name }) => name === service));
  }

  /**
   * Makes a part that the distributed run has started fail, or starts it again where it was. Resolves when
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
    // What a program that had to be killed has begun ends a moment after it, and writes until then.
    rmSync(this.data_dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  }
}

/** Who is to die, and how much had become of the services before. */
interface Strike {
  readonly services: readonly string[];
  readonly from: number;
}

type PartName = 'postgres' | 'kafka' | 'eventstore';
type PartCommand = 'stop' | 'kill' | 'start' | 'pause' | 'resume' | 'misbehave';

/** `FAULT`: where to die, `append.after:3`. `HANGS`: a part of the URLs of webhooks that are never answered. */
export type Fault = Readonly<Partial<Record<'FAULT' | 'HANGS', string>>>;

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
  /** Of a process that ended, its last words. */
  readonly said?: string;
}

function mainOf(fault: Fault | undefined): string {
  if (IS_DISTRIBUTED) return DISTRIBUTED_MAIN;
  return fault ? FAULTY_MAIN : EMBEDDED_MAIN;
}

/** In the distributed run every service has the fault in front of its ports; the first to reach it dies. */
function faultyEnvironment(fault: Fault, data_dir: string): NodeJS.ProcessEnv {
  if (!IS_DISTRIBUTED) return fault;
  const once = fault.FAULT ? { FAULT_ONCE: path.join(data_dir, `fault ${fault.FAULT}`) } : {};
  return { ...fault, ...once, ...FAULTY_SERVICES };
}
