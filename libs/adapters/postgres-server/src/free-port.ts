import { createServer } from 'node:net';

/** Below the range from which outgoing connections take theirs: those come and go between look and bind. */
const PORT_MIN = 15_000;
const PORT_MAX = 32_000;

/** A port of 127.0.0.1 that no process listens on now, for a server that is started soon. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN));
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
