import { startPostgres } from '@tender/adapter-postgres-server';
import type { Log } from '@tender/eventing';
import { inspectServer, type Server } from './machine/postgres';

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A Postgres of the bench's own, with the product's binaries and settings, for the baselines. */
export async function throwawayServer(
  data_dir: string,
): Promise<{ server: Server; stop(): Promise<void> }> {
  const running = await startPostgres({ dataDir: data_dir, log: silent, for_bench: true });
  return { server: await inspectServer(running.connectionString), stop: () => running.stop() };
}

/** Lets what measures write checkpoints in the Postgres of a product, too, which is to start on this folder. */
export async function letCheckpoint(data_dir: string): Promise<void> {
  await (await throwawayServer(data_dir)).stop();
}
