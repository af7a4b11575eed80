import type { Server } from 'node:http';
import { portToKeep } from '@tender/adapter-postgres-server/free-port';

const TRIES_MAX = 100;

/** True when it listens; false when the port is taken or not ours to take. */
function listen(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    };
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve(true);
    });
  });
}

const close = (server: Server) => new Promise((resolve) => server.close(resolve));

/** Where a ledger listens. */
export interface Place {
  /** An address of this machine. */
  readonly host: string;
  /** Tried first; null takes any. */
  readonly wanted: number | null;
  /** No other port than the wanted one will do. */
  readonly fixed: boolean;
}

/** Lets `http` listen on P and `websocket` on P + 1, where web3.js looks for it; answers P. */
export async function listenOnPair(
  http: Server,
  websocket: Server,
  { host, wanted, fixed }: Place,
): Promise<number> {
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    const port = wanted !== null && (fixed || attempt === 0) ? wanted : await portToKeep();
    if (port < 65_535 && (await listen(http, port, host))) {
      if (await listen(websocket, port + 1, host)) return port;
      await close(http);
    }
    // A process that was just killed needs a moment to let go of its ports.
    if (fixed) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no free pair of ports on ${host}${fixed ? ` at ${wanted}` : ''}`);
}
