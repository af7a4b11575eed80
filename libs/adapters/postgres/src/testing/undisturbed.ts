import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const LOOK_EVERY_MS = 50;
/** Leases and waits for locks are over after seconds: what is held up for less cannot end them. */
const STALL_MS = 500;
const ATTEMPTS_MAX = 20;

/**
 * For what the product ends by clocks of its own. A failure counts where the machine kept up; where it was
 * measured that it did not, the attempt is made anew.
 */
export async function undisturbed(server_url: string, attempt: () => Promise<void>): Promise<void> {
  for (let made = 1; ; made += 1) {
    const longestStall = await watchStalls(server_url);
    const outcome = await attempt().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const stall_ms = await longestStall();
    if (!outcome) return;
    if (stall_ms < STALL_MS || made === ATTEMPTS_MAX) throw outcome.error;
  }
}

/** Ends the watch, and says how late this process or the server was at most. */
async function watchStalls(server_url: string): Promise<() => Promise<number>> {
  const url = new URL(server_url);
  // Not a database whose connections a test cuts.
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  let longest_ms = 0;
  let watching = true;
  const watch = async (): Promise<void> => {
    while (watching) {
      const began = performance.now();
      await client.query('select 1');
      await sleep(LOOK_EVERY_MS);
      longest_ms = Math.max(longest_ms, performance.now() - began - LOOK_EVERY_MS);
    }
  };
  const watched = watch();
  return async () => {
    watching = false;
    await watched;
    await client.end();
    return longest_ms;
  };
}
