import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { portToKeep } from '@tender/adapter-postgres-server/free-port';
import { FaultSwitch, type Faults } from './faults';
import { serve } from './grpc/serve';
import { EventLog } from './log/event-log';

export interface EventStoreDoubleOptions {
  /** Folder of the log and of the port; a new folder is an empty store. */
  readonly dataDir: string;
  /** By default the last one of this folder, or any free one. */
  readonly port?: number | undefined;
}

export interface RunningDouble {
  /** For `@eventstore/db-client`. */
  readonly connection_string: string;
  misbehave(faults: Faults): void;
  close(): Promise<void>;
}

const FREE_WAIT_MS = 5_000;
const FREE_RETRY_MS = 50;

/** Serves a folder in this process. Its port stays its own: two processes never write one file. */
export async function runEventStoreDouble({
  dataDir,
  port,
}: EventStoreDoubleOptions): Promise<RunningDouble> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const port_path = join(dataDir, 'port');
  const last = existsSync(port_path) ? Number(readFileSync(port_path, 'utf8')) : null;
  if (last !== null) await untilFree(last, dataDir);
  const faults = new FaultSwitch();
  const log = new EventLog(join(dataDir, 'events.log'), Date.now);
  const serving = await serve(log, faults, port ?? last ?? (await portToKeep()));
  writeFileSync(port_path, String(serving.port));
  return {
    connection_string: `esdb://127.0.0.1:${serving.port}?tls=false`,
    misbehave: (wanted) => faults.set(wanted),
    async close() {
      serving.close();
      await log.close();
    },
  };
}

/** A predecessor that was killed just now holds its port for a moment longer. */
async function untilFree(port: number, folder: string): Promise<void> {
  const deadline = performance.now() + FREE_WAIT_MS;
  while (!(await isFree(port))) {
    if (performance.now() > deadline) {
      throw new Error(`port ${port} is taken: is another double running in ${folder}?`);
    }
    await pause(FREE_RETRY_MS);
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
