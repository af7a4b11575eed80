import { execFileSync, type StdioOptions } from 'node:child_process';
import os from 'node:os';
import { isDurable, type Server } from '../machine/postgres';
import type { Entry } from './entry';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly postgres: string;
  readonly fsync_us: number;
  readonly syscall_us: number;
  readonly durable: boolean;
}

/** What `--json` writes and `--compare` reads. */
export interface Result {
  readonly schema: 1;
  readonly commit: string;
  readonly started: string;
  readonly machine: Machine;
  readonly noise: {
    readonly foreign_cores_median: number;
    readonly steal_max: number;
    readonly repeats: number;
    readonly noisy: boolean;
  };
  readonly scenarios: readonly ScenarioResult[];
}

type ScenarioResult = ReturnType<typeof scenarioResult>;

export function describeMachine(
  server: Server,
  { fsync_us, syscall_us }: Pick<Machine, 'fsync_us' | 'syscall_us'>,
): Machine {
  return {
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    node: process.versions.node,
    postgres: server.version,
    fsync_us: rounded(fsync_us),
    syscall_us: rounded(syscall_us),
    durable: isDurable(server),
  };
}

/** Ratios move with both: what waits for the disk, and what only calls the system. */
export const costs = ({ fsync_us, syscall_us }: Machine): string =>
  `one synced write ${fsync_us.toFixed(0)} µs, one system call ${syscall_us.toFixed(2)} µs`;

export function currentCommit(): string {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    const options = { cwd: __dirname, encoding: 'utf8', stdio } as const;
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim();
  } catch {
    return 'unknown';
  }
}

/** The first goal is the scenario's own; `further_goals` are the others that it also answers for. */
export function scenarioResult(entry: Entry) {
  const { baseline_name, baseline, candidate, ratio, goals, ...rest } = entry;
  const shown = goals.map((one) => ({ ...one, value: rounded(one.value) }));
  const [goal = null, ...further_goals] = shown;
  return {
    ...rest,
    baseline: { name: baseline_name, ...allRounded(baseline) },
    candidate: allRounded(candidate),
    ratio: allRounded(ratio),
    goal,
    verdict: goal?.verdict ?? null,
    further_goals,
  };
}

const allRounded = (figures: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)]));

/** No measurement is more exact than three digits. */
export const rounded = (value: number): number =>
  Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
