import { createHmac } from 'node:crypto';
import path from 'node:path';
import { Child } from '../child';
import type { Reached, Sample, Seen } from './sink-spec';

/** Where webhooks arrive. */
export class Sink {
  private constructor(
    private readonly child: Child,
    readonly urls: readonly string[],
  ) {}

  static async start(ports: number): Promise<Sink> {
    const child = Child.start(path.join(__dirname, 'sink-child.js'), {
      env: { ...process.env, NODE_OPTIONS: '', SINK_PORTS: String(ports) },
    });
    const { urls } = await child.message<{ urls: string[] }>();
    return new Sink(child, urls);
  }

  hold(): Promise<Reached> {
    return this.child.ask({ do: 'hold' });
  }

  /** Lets go what is held and answers when `count` different deliveries have been answered in all. */
  async until(count: number, wait_ms = 60_000): Promise<Reached> {
    const stop = new AbortController();
    const patience = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(new Error(`fewer than ${count} webhooks came`)), wait_ms);
      stop.signal.addEventListener('abort', () => clearTimeout(timer));
    });
    try {
      return await Promise.race([this.child.ask<Reached>({ do: 'await', count }), patience]);
    } finally {
      stop.abort();
    }
  }

  show(): Promise<Seen> {
    return this.child.ask({ do: 'show' });
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

/** True when the delivery is signed as the specification tells a merchant to check (specification §2.12). */
export function isSigned({ signature, body }: Sample, secret: string): boolean {
  const time = /t=(\d+)/.exec(signature)?.[1];
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return signature.includes(`v1=${expected}`);
}
