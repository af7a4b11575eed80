import { setTimeout as sleep } from 'node:timers/promises';
import { processRow, treeCpu } from './processes';

/** Whose CPU time a request costs: the Node process, and Postgres with all its backends. */
export interface Metered {
  readonly node: number;
  readonly postmaster: number;
}

export interface CpuUse {
  readonly node_s: number;
  readonly pg_s: number;
}

/** Starts to count; the answer tells what was used since. */
export function meterCpu(of: Metered): () => CpuUse {
  const from = read(of);
  return () => {
    const to = read(of);
    return { node_s: to.node_s - from.node_s, pg_s: to.pg_s - from.pg_s };
  };
}

const CALM_CORES = 0.15;
const LOOK_MS = 200;
const LOOKS = 2;

/**
 * Waits until the program has worked off what a load left it (followers, reactors): twice in a row
 * under 0.15 cores. Answers how long that took, in ms; `wait_ms` when it did not come.
 */
export async function untilCalm(of: Metered, wait_ms = 60_000): Promise<number> {
  const began = performance.now();
  for (let calm = 0; performance.now() - began < wait_ms; ) {
    const used = meterCpu(of);
    await sleep(LOOK_MS);
    const { node_s, pg_s } = used();
    calm = (node_s + pg_s) / (LOOK_MS / 1000) < CALM_CORES ? calm + 1 : 0;
    if (calm === LOOKS) return Math.max(0, performance.now() - began - LOOKS * LOOK_MS);
  }
  return wait_ms;
}

function read({ node, postmaster }: Metered): CpuUse {
  return { node_s: processRow(node)?.cpu_s ?? 0, pg_s: treeCpu(postmaster) };
}
