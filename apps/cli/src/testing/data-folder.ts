import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Makes a data folder as a program that was killed leaves it: this process stands for its Postgres. */
export function leaveRunning(data_dir: string, port: number): void {
  mkdirSync(path.join(data_dir, 'postgres'), { recursive: true });
  const server = [process.pid, '', '', port, '', '', '', 'ready'];
  writeFileSync(path.join(data_dir, 'postgres', 'postmaster.pid'), server.join('\n'));
  writeFileSync(path.join(data_dir, 'postgres.password'), randomBytes(4).toString('hex'));
}
