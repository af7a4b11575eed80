// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- for the machine's name: no file is read
import os from 'node:os';
import process from 'node:process';

/** `<host>|<pid>|<random>`: the process that holds a lease, in one term of leading. */
export const newLeaseOwner = (random: string): string => `${os.hostname()}|${process.pid}|${random}`;

/**
 * True when the owner was a process of this machine that is no more, or an earlier term of this one, so that a restart
 * after `kill -9` need not wait for its leases to end. `here`: the owners of this process now. Wrong only where two
 * machines share a name: then a receiver or a reader hears twice, which both must expect anyway.
 */
export function isGone(owner: string, here: readonly string[]): boolean {
  const [host, pid] = owner.split('|');
  if (here.includes(owner) || host !== os.hostname()) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
