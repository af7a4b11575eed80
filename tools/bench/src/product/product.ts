import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Child } from '../child';
import { inspectServer, type Server } from '../machine/postgres';
import { request, type Answer } from './request';

const PROGRAM = path.resolve(__dirname, '../../../../apps/embedded');
const MAIN = path.join(PROGRAM, 'dist/main.js');

/** As `npm start` gives them. */
const NODE_FLAGS = (
  JSON.parse(readFileSync(path.join(PROGRAM, 'package.json'), 'utf8')) as {
    readonly tender: { readonly nodeFlags: readonly string[] };
  }
).tender.nodeFlags;

interface Ready {
  readonly url: string;
  readonly admin_token: string;
  readonly demo: { readonly api_key: string; readonly merchant_id: string };
  readonly postgres: { readonly connection_string: string };
}

export interface ProductOptions {
  readonly data_dir: string;
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
    readonly data_dir: string,
    /** From the start of the process to its ready message. */
    readonly boot_ms: number,
  ) {}

  static async start(options: ProductOptions): Promise<Product> {
    const began = performance.now();
    const profile = options.profile
      ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`, '--cpu-prof-interval=500']
      : [];
    const child = Child.start(MAIN, {
      execArgv: [...NODE_FLAGS, ...profile],
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        DATABASE_URL: '',
        PORT: '0',
        DATA_DIR: options.data_dir,
        RATE_LIMITS: 'off',
        WEBHOOK_ALLOW_LOOPBACK: 'true',
        ...options.env,
      },
    });
    try {
      const ready = await child.message<Ready>();
      const boot_ms = performance.now() - began;
      const server = await inspectServer(ready.postgres.connection_string);
      return new Product(child, ready, server, options.data_dir, boot_ms);
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

  get metered() {
    return { node: this.child.pid, postmaster: this.server.postmaster };
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
