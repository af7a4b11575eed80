import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Bench, Scenario } from './bench';
import type { Flags } from './flags';
import { Load } from './load/load';
import { fsyncMicroseconds, syscallMicroseconds } from './machine/postgres';
import { NoiseBook } from './noise-book';
import type { Entry } from './report/entry';
import { costs, currentCommit, describeMachine, scenarioResult, type Result } from './report/result';
import { throwawayServer } from './throwaway-server';

/** The run has no result: the server is not durable, or a part does not start. */
export class InvalidRun extends Error {
  override readonly name = 'InvalidRun';
}

/** Runs the scenarios one after the other on fresh folders, which are removed at the end. */
export async function runScenarios(
  flags: Flags,
  scenarios: readonly Scenario[],
): Promise<{ result: Result; entries: readonly Entry[] }> {
  const started = new Date().toISOString();
  const root = mkdtempSync(path.join(os.tmpdir(), 'tender-bench-'));
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const noise = new NoiseBook(flags.quick);
  const load = new Load();
  const throwaway = await throwawayServer(path.join(root, 'baseline'));
  const end = async () => {
    await Promise.allSettled([load.stop(), throwaway.stop()]);
    rmSync(root, { recursive: true, force: true });
  };
  // The server has a process group of its own: a Ctrl-C does not reach it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void end().finally(() => process.exit(2)));
  }
  try {
    const { server } = throwaway;
    const measured = { fsync_us: fsyncMicroseconds(root), syscall_us: syscallMicroseconds() };
    const machine = describeMachine(server, measured);
    say(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, Postgres ${machine.postgres}`);
    say(`${JSON.stringify(server.durability)}, ${costs(machine)}`);
    if (!machine.durable) throw new InvalidRun('the database server is not durable');

    let folders = 0;
    const bench: Bench = {
      flags,
      load,
      noise,
      say,
      folder(name) {
        const folder = path.join(root, `${name}-${(folders += 1)}`);
        mkdirSync(folder);
        return folder;
      },
      server: async () => server,
    };
    const entries: Entry[] = [];
    for (const scenario of scenarios) {
      const began = performance.now();
      say(scenario.name);
      entries.push(...(await scenario.run(bench).catch((error) => [brokenOff(scenario, error)])));
      say(`  ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
    const result: Result = {
      schema: 1,
      commit: currentCommit(),
      started,
      machine,
      noise: noise.summary(),
      scenarios: entries.map(scenarioResult),
    };
    return { result, entries };
  } finally {
    await end();
  }
}

/** A scenario of which a part died. The others still have their results. */
function brokenOff({ name }: Scenario, error: unknown): Entry {
  return {
    name,
    params: {},
    baseline_name: '',
    baseline: {},
    candidate: {},
    ratio: {},
    rows_checked: false,
    errors: 1,
    faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    goals: [],
  };
}
