import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@tender/eventing';
import type { Server } from './server';

/** Between tries to start a server that does not start. */
const AGAIN_MS = 1_000;

export interface KeptServer {
  readonly port: number;
  /** Of the server that runs now, or was the last to run. */
  pid(): number | null;
  stop(): Promise<void>;
  /** Ends it as a crash would, and starts none again. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/**
 * Starts a server, and starts it again at the same port whenever it ends by itself: the program goes on with new
 * connections. Rejects when the first start fails; later ones are tried until one succeeds.
 */
export async function keepServer(
  start: (port: number | undefined) => Promise<Server>,
  log: Log,
): Promise<KeptServer> {
  let server = await start(undefined);
  const { port } = server;
  let wanted = true;
  const keeping = keep();

  return {
    port,
    pid: () => server.pid,
    signal: (name) => server.signal(name),
    stop: () => end('stop'),
    kill: () => end('kill'),
  };

  async function end(how: 'stop' | 'kill'): Promise<void> {
    wanted = false;
    await server[how]();
    await keeping;
    // One that was started meanwhile.
    await server[how]();
  }

  async function keep(): Promise<void> {
    for (;;) {
      await server.ended;
      while (wanted) {
        try {
          server = await start(port);
          log.info({ part: 'postgres', port }, 'the database server runs again');
          break;
        } catch (error) {
          log.error({ err: error, part: 'postgres' }, 'the database server does not start again');
          await sleep(AGAIN_MS, undefined, { ref: false });
        }
      }
      if (!wanted) return;
    }
  }
}
