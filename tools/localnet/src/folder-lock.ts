import { createHash } from 'node:crypto';
import { realpathSync, unlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WAIT_MS = 10_000;
const RETRY_MS = 100;

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * One process per folder: two would write into one log. The lock is a listening unix socket,
 * because the system takes it away with its process, however that ends. Its path does not lie in
 * the folder: such paths have a limit of about 100 characters.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32);
  const path = join(tmpdir(), `tender-localnet-${name}.sock`);
  for (let waitedMs = 0; waitedMs <= WAIT_MS; waitedMs += RETRY_MS) {
    const lock = await tryListen(path);
    if (lock) return lock;
    if (!(await isAnswered(path))) removeStale(path);
    else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new Error(`another localnet is running in ${folder}`);
}

function tryListen(path: string): Promise<FolderLock | null> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(path, () => {
      server.unref();
      resolve({ release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function removeStale(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another starter removed it first; one of us will get to listen.
  }
}
