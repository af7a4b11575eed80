import { fork, type ChildProcess } from 'node:child_process';

export interface ServiceProcessOptions {
  /** For people: `payments`, `payments 2`. */
  readonly name: string;
  /** The service's `dist/main.js`. */
  readonly main: string;
  readonly node_flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Called when a process begins and when it ends. */
  readonly tell: (news: ServiceNews) => void;
}

export interface ServiceNews {
  readonly type: 'serving' | 'ended';
  readonly name: string;
  readonly pid: number | null;
  /** Signal or exit code of one that ended. */
  readonly how?: string;
}

/** A service that could not start: its own sentence says why. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
}

/** What a service says once it serves. */
export interface ServiceReady {
  readonly url: string;
  readonly admin_token?: string;
  readonly metrics_port: number | null;
}

const RESTART_MIN_MS = 200;
const RESTART_MAX_MS = 5_000;
const STOP_MS = 15_000;

/** A service in a process of its own; one that ends by itself is started again, on the same port. */
export class ServiceProcess {
  private child: ChildProcess | null = null;
  private ready: ServiceReady | null = null;
  private stopping = false;
  private delay_ms = RESTART_MIN_MS;
  private restart: NodeJS.Timeout | null = null;

  constructor(private readonly options: ServiceProcessOptions) {}

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  get metrics_port(): number | null {
    return this.ready?.metrics_port ?? null;
  }

  get name(): string {
    return this.options.name;
  }

  /** Resolves when it serves; rejects when it ends before that, with what it said. */
  async start(): Promise<ServiceReady> {
    const { main, node_flags, env, name, tell } = this.options;
    const again = this.ready ? { PORT: new URL(this.ready.url).port } : {};
    const child = fork(main, [], {
      execArgv: [...node_flags],
      env: { ...env, ...again },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    this.child = child;
    let complaints = '';
    let serves = false;
    child.stderr?.on('data', (chunk: Buffer) => {
      complaints = (complaints + String(chunk)).slice(-4_000);
      if (serves) process.stderr.write(chunk);
    });
    const ready = await new Promise<ServiceReady>((resolve, reject) => {
      child.once('message', (message) => resolve(message as ServiceReady));
      child.once('exit', (code, signal) => {
        const sentence = complaints.trim().replace(/^\S+ cannot start: /, '');
        reject(new ServiceFault(sentence || `${name} ended (${signal ?? code}) at start`));
      });
    });
    serves = true;
    this.ready = ready;
    tell({ type: 'serving', name, pid: this.pid });
    this.delay_ms = RESTART_MIN_MS;
    child.once('exit', (code, signal) => this.startAgain(signal ?? String(code)));
    return ready;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    if (this.restart) clearTimeout(this.restart);
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(killer);
  }

  private startAgain(how: string): void {
    if (this.stopping) return;
    const { name, tell } = this.options;
    tell({ type: 'ended', name, pid: this.pid, how });
    this.restart = setTimeout(() => {
      this.start().catch((error: unknown) => this.startAgain((error as Error).message));
    }, this.delay_ms);
    this.delay_ms = Math.min(this.delay_ms * 2, RESTART_MAX_MS);
  }
}
