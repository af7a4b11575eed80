import { setTimeout as sleep } from 'node:timers/promises';
import { MODES } from '@tender/kernel';
import type { LocalnetNetworks } from './localnet';
import { spawnLocalnet, type SpawnedLocalnet, type SpawnOptions } from './spawn-localnet';

/** Between tries to start a child that does not start. */
const AGAIN_MS = 500;

/** What happens to the child after its first start. */
export interface LocalnetNews {
  readonly type: 'serving' | 'ended';
  readonly pid: number;
  /** Signal or exit code of one that ended, or why it did not start. */
  readonly how?: string;
}

export interface KeptLocalnet {
  readonly networks: LocalnetNetworks;
  /** Of the child that runs now, or was the last to run. */
  pid(): number;
  stop(): Promise<void>;
}

/**
 * Runs both chains in a child process, and starts it again on the same folder and ports whenever it ends by itself:
 * who has its URLs goes on. Rejects when the first start fails; later ones are tried until one succeeds.
 */
export async function keepLocalnet(
  options: SpawnOptions,
  tell: (news: LocalnetNews) => void,
): Promise<KeptLocalnet> {
  let child = await spawnLocalnet(options);
  const { networks } = child;
  const again = { ...options, ports: portsOf(networks) };
  const stopping = new AbortController();
  const keeping = keep();

  return {
    networks,
    pid: () => child.pid,
    async stop() {
      stopping.abort();
      await child.stop();
      await keeping;
      // One that was started meanwhile.
      await child.stop();
    },
  };

  async function keep(): Promise<void> {
    for (;;) {
      const { code, signal } = await child.exited;
      if (stopping.signal.aborted) return;
      tell({ type: 'ended', pid: child.pid, how: String(signal ?? code) });
      const next = await startAgain();
      if (!next) return;
      child = next;
      tell({ type: 'serving', pid: child.pid });
    }
  }

  async function startAgain(): Promise<SpawnedLocalnet | null> {
    while (!stopping.signal.aborted) {
      try {
        return await spawnLocalnet(again);
      } catch (error) {
        tell({ type: 'ended', pid: child.pid, how: (error as Error).message });
        await sleep(AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
    return null;
  }
}

function portsOf(networks: LocalnetNetworks): NonNullable<SpawnOptions['ports']> {
  const ports = MODES.map((mode) => [mode, Number(new URL(networks[mode].rpc_url).port)]);
  return Object.fromEntries(ports) as NonNullable<SpawnOptions['ports']>;
}
