import { createServer } from 'node:net';

/** Below the range from which outgoing connections take theirs: those come and go between look and bind. */
const PORT_MIN = 15_000;
const BLOCKS = 340;
const PORTS_OF_BLOCK = 50;

/** Of the block that is this process's own: the next port that it gives out, and the one after the last. */
let next = 0;
let end = 0;

/**
 * A port of 127.0.0.1 that no process listens on, for a server that is started soon or again and again. No other
 * process that asks in this way is given it while this one lives, and this one is not given it a second time.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    while (next === end) await takeBlock();
    const port = next;
    next += 1;
    if (await listen(port, 'for a moment')) return port;
  }
}

/** A block belongs to the process that listens on its first port. */
async function takeBlock(): Promise<void> {
  const from = Math.floor(Math.random() * BLOCKS);
  for (let step = 0; step < BLOCKS; step += 1) {
    const first = PORT_MIN + ((from + step) % BLOCKS) * PORTS_OF_BLOCK;
    if (!(await listen(first, 'until the end'))) continue;
    next = first + 1;
    end = first + PORTS_OF_BLOCK;
    return;
  }
  throw new Error(`no port from ${PORT_MIN} to ${PORT_MIN + BLOCKS * PORTS_OF_BLOCK} is free`);
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
