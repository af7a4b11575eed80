import { writeFileSync } from 'node:fs';
import type { SignerLog } from '@tender/signer-features';

/** Says what broke, without its text, which could hold what was being worked on, and ends. */
export function endOnCrash(log: SignerLog): void {
  process.setUncaughtExceptionCaptureCallback((error) => {
    const { name, code, stack } = error as Error & { code?: unknown };
    const at = stack?.split('\n').filter((line) => /^\s+at /.test(line)).map((line) => line.trim());
    log.error({ fault: name, code, at }, 'the process ends by a crash');
    process.exit(70);
  });
}

/**
 * Tells the kernel to leave this process’s memory out of core dumps, whatever the limits are. Linux; false where it
 * cannot be told.
 */
export function keepOutOfDumps(): boolean {
  try {
    writeFileSync('/proc/self/coredump_filter', '0');
    return true;
  } catch {
    return false;
  }
}
