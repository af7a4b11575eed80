import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';
const TRIES_MAX = 100;

/** True when it listens; false when the port is taken or not ours to take. */
function listen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    };
    server.once('error', failed);
    server.listen(port, HOST, () => {
      server.off('error', failed);
      resolve(true);
    });
  });
}

const close = (server: Server) => new Promise((resolve) => server.close(resolve));

/** A port that the system says is free now. */
async function somePort(): Promise<number> {
  const probe = createServer();
  await listen(probe, 0);
  const { port } = probe.address() as AddressInfo;
  await close(probe);
  return port;
}

/**
 * Lets `http` listen on P and `websocket` on P + 1, where web3.js looks for it. Tries `wanted`
 * first; unless it is `fixed`, any other free pair does.
 */
export async function listenOnPair(
  http: Server,
  websocket: Server,
  wanted: number | null,
  fixed: boolean,
): Promise<number> {
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    const port = wanted !== null && (fixed || attempt === 0) ? wanted : await somePort();
    if (port < 65_535 && (await listen(http, port))) {
      if (await listen(websocket, port + 1)) return port;
      await close(http);
    }
    // A process that was just killed needs a moment to let go of its ports.
    if (fixed) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no free pair of ports on ${HOST}${fixed ? ` at ${wanted}` : ''}`);
}
