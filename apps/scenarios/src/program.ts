import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from './client';
import { eventually } from './eventually';

const EMBEDDED_MAIN = path.resolve(__dirname, '../../embedded/dist/main.js');
const FAULTY_MAIN = path.resolve(__dirname, '../dist/faulty-main.js');

export interface Ready {
  readonly url: string;
  readonly admin_token: string;
  readonly demo: { readonly api_key: string; readonly merchant_id: string };
  readonly postgres: { readonly connection_string: string };
  readonly metrics_port: number | null;
}

/** One run of the whole program as its user starts it: a process, a data folder, a URL. */
export class Program {
  private child: ChildProcess | null = null;
  private ready: Ready | null = null;
  output = '';

  constructor(
    private readonly env: Readonly<Record<string, string>> = {},
    readonly data_dir = mkdtempSync(path.join(os.tmpdir(), 'tender scenario ')),
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<Program> {
    const program = new Program(env);
    await program.start();
    return program;
  }

  /** Starts, or starts again on the same data. `faults` kills the process at a port border. */
  async start(faults?: string): Promise<Ready> {
    const child = fork(faults ? FAULTY_MAIN : EMBEDDED_MAIN, [], {
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: '0',
        DATA_DIR: this.data_dir,
        RATE_LIMITS: 'off',
        ...this.env,
        ...(faults ? { FAULT: faults } : {}),
      },
    });
    this.child = child;
    child.stdout?.on('data', (chunk) => (this.output += String(chunk)));
    child.stderr?.on('data', (chunk) => (this.output += String(chunk)));
    this.ready = await new Promise<Ready>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Ready));
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

  /** How the process ends by itself, which it must do within `wait_ms`. */
  endedWithin(wait_ms: number): Promise<NodeJS.Signals | number | null> {
    const end = async () => this.child?.signalCode ?? this.child?.exitCode ?? null;
    return eventually(end, (how) => how !== null, wait_ms);
  }

  async kill(): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.ended();
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
