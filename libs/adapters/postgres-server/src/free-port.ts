import { createServer } from 'node:net';

/**
 * Both ranges are below the one from which outgoing connections take theirs: those come and go between look and bind.
 * A block belongs to the process that listens on its first port.
 */
interface Blocks {
  readonly from: number;
  readonly count: number;
  readonly ports: number;
}

const FREE: Blocks = { from: 15_000, count: 340, ports: 50 };
/** For servers that come back to their ports: nobody is given those as free while the server is down. */
const KEPT: Blocks = { from: 10_000, count: 1_600, ports: 3 };

/** Of the block of free ports that is this process's own: the next that it gives out, and the one after the last. */
let next = 0;
let end = 0;

/**
 * A port of 127.0.0.1 that no process listens on, for a server that is started soon or again and again. No other
 * process that asks in this way is given it while this one lives, and this one is not given it a second time.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    while (next === end) {
      next = await takeBlock(FREE);
      end = next + FREE.ports - 1;
    }
    const port = next;
    next += 1;
    if (await listen(port, 'for a moment')) return port;
  }
}

/**
 * A port of 127.0.0.1 for a server that keeps it in its folder and comes back to it, whatever process starts it then.
 * The one after it is the server's, too.
 */
export async function portToKeep(): Promise<number> {
  for (;;) {
    const port = await takeBlock(KEPT);
    if ((await listen(port, 'for a moment')) && (await listen(port + 1, 'for a moment'))) return port;
  }
}

/** Answers the first port that it may give out. */
async function takeBlock({ from, count, ports }: Blocks): Promise<number> {
  const begin = Math.floor(Math.random() * count);
  for (let step = 0; step < count; step += 1) {
    const first = from + ((begin + step) % count) * ports;
    if (await listen(first, 'until the end')) return first + 1;
  }
  throw new Error(`no port from ${from} to ${from + count * ports} is free`);
}

function listen(port: number, how_long: 'for a moment' | 'until the end'): Promise<boolean> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      // It keeps no process alive.
      server.unref();
      if (how_long === 'until the end') resolve(true);
      else server.close(() => resolve(true));
    });
  });
}
