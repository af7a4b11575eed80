import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { treeCpu } from './processes';

const TICK_S = 0.01;
/** A round with more foreign work than this, in cores, is dropped and repeated. */
export const FOREIGN_MAX = 0.3;
const QUIET_BELOW = 0.2;
const LOOK_MS = 400;

interface Reading {
  readonly at_ms: number;
  readonly busy_s: number;
  readonly steal_s: number;
  readonly own_s: number;
}

export interface Noise {
  /** Cores that processes of others kept busy. */
  readonly foreign_cores: number;
  /** Part of the time that the host gave to other machines. */
  readonly steal: number;
}

/** Starts to measure what the rest of the machine does; the function that it returns ends it. */
export function listenForNoise(): () => Noise {
  const from = read();
  return () => {
    const to = read();
    const elapsed_s = (to.at_ms - from.at_ms) / 1000;
    const foreign = to.busy_s - from.busy_s - (to.own_s - from.own_s);
    return {
      foreign_cores: Math.max(0, foreign / elapsed_s),
      steal: (to.steal_s - from.steal_s) / elapsed_s,
    };
  };
}

/** Waits until the rest of the machine uses less than 0.2 cores, `wait_ms` at most. */
export async function untilQuiet(wait_ms: number): Promise<void> {
  for (const until = performance.now() + wait_ms; performance.now() < until; ) {
    const listen = listenForNoise();
    await sleep(LOOK_MS);
    if (listen().foreign_cores < QUIET_BELOW) return;
  }
}

function read(): Reading {
  const first = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] as string;
  // cpu user nice system idle iowait irq softirq steal
  const fields = first.trim().split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
  return {
    at_ms: performance.now(),
    busy_s: (user + nice + system + irq + softirq) * TICK_S,
    steal_s: steal * TICK_S,
    // Everything that the bench starts descends from it.
    own_s: treeCpu(process.pid),
  };
}
