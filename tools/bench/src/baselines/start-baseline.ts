import path from 'node:path';
import { Child } from '../child';

export interface Baseline {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts one of the raw servers of this folder in a process of its own. */
export async function startBaseline(
  name: 'fastify-insert' | 'fastify-static',
  env: Readonly<Record<string, string>> = {},
): Promise<Baseline> {
  const child = Child.start(path.join(__dirname, `${name}.js`), {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
  const { url } = await child.message<{ url: string }>();
  return { url, pid: child.pid, stop: () => child.stop() };
}
