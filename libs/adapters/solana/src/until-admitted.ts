import type { Endpoints } from './endpoints';

const ASK_EVERY_MS = 5_000;

/**
 * Asks the nodes for their network until one was admitted: a process that has no other question would not learn
 * that it must take no orders there.
 */
export function untilAdmitted(nodes: Pick<Endpoints, 'genesisHash' | 'network'>): { end(): void } {
  let timer: NodeJS.Timeout | null = null;
  let ended = false;
  const ask = async (): Promise<void> => {
    // What stands in the way is logged by the nodes.
    await nodes.genesisHash().catch(() => undefined);
    if (ended || nodes.network !== null) return;
    timer = setTimeout(() => void ask(), ASK_EVERY_MS).unref();
  };
  void ask();
  return {
    end() {
      ended = true;
      if (timer) clearTimeout(timer);
    },
  };
}
