import { setTimeout as sleep } from 'node:timers/promises';
import { processRow, treeCpu } from './processes';

/** Whose CPU time a request costs: Node processes, and Postgres with all its backends. */
export interface Metered {
  /** The one that answers. */
  readonly node: number;
  /** The processes that work besides it, by name. */
  readonly others?: Readonly<Record<string, number>>;
  readonly postmaster: number;
  /** Cores that the processes use when they rest; none by default. */
  readonly resting_cores?: number;
}

export interface CpuUse {
  readonly node_s: number;
  readonly pg_s: number;
  readonly others_s: Readonly<Record<string, number>>;
}

/** Starts to count; the function that it returns says what was used since. */
export function meterCpu(of: Metered): () => CpuUse {
  const from = read(of);
  return () => {
    const to = read(of);
    const others = Object.entries(to.others_s);
    return {
      node_s: to.node_s - from.node_s,
      pg_s: to.pg_s - from.pg_s,
      others_s: Object.fromEntries(
        others.map(([name, spent_s]) => [name, spent_s - (from.others_s[name] ?? 0)]),
      ),
    };
  };
}

const CALM_CORES = 0.15;
const LOOK_MS = 200;
const LOOKS = 2;

/**
 * Waits until the program has worked off what a load left it (followers, reactors): twice in a row
 * under 0.15 cores more than at rest. Answers how long that took, in ms; `wait_ms` when it never happened.
 */
export async function untilCalm(of: Metered, wait_ms = 60_000): Promise<number> {
  const calm_cores = CALM_CORES + (of.resting_cores ?? 0);
  const began = performance.now();
  for (let calm = 0; performance.now() - began < wait_ms; ) {
    const used = meterCpu(of);
    await sleep(LOOK_MS);
    calm = secondsOf(used()) / (LOOK_MS / 1000) < calm_cores ? calm + 1 : 0;
    if (calm === LOOKS) return Math.max(0, performance.now() - began - LOOKS * LOOK_MS);
  }
  return wait_ms;
}

/** Of all that is metered. */
export const secondsOf = ({ node_s, pg_s, others_s }: CpuUse): number =>
  Object.values(others_s).reduce((sum, spent_s) => sum + spent_s, node_s + pg_s);

function read({ node, others = {}, postmaster }: Metered): CpuUse {
  const rows = Object.entries(others).map(([name, pid]) => [name, processRow(pid)?.cpu_s ?? 0]);
  return {
    node_s: processRow(node)?.cpu_s ?? 0,
    pg_s: treeCpu(postmaster),
    others_s: Object.fromEntries(rows),
  };
}
