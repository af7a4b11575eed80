import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FlagFault, readFlags, type Flags } from './flags';
import { compare } from './report/compare';
import { failsFloor, type Entry } from './report/entry';
import { costs, type Result } from './report/result';
import { complaints, table } from './report/table';
import { topFunctions } from './report/profile';
import { runScenarios } from './run';
import { SCENARIOS } from './scenarios/all';

/** 0: every floor holds; 1: one does not, or an answer was wrong; 2: the run has no result. */
type ExitCode = 0 | 1 | 2;

async function main(): Promise<ExitCode> {
  const flags = readFlags(process.argv.slice(2));
  const unknown = flags.only.filter((name) => !SCENARIOS.some((one) => one.name === name));
  if (unknown.length > 0) {
    const known = SCENARIOS.map(({ name }) => name).join(', ');
    throw new FlagFault(`--only: there is no ${unknown.join(', ')}; there are ${known}`);
  }
  if (flags.profile) mkdirSync(flags.profile, { recursive: true });
  const chosen = SCENARIOS.filter(({ name, slow }) =>
    flags.only.length ? flags.only.includes(name) : !(flags.quick && slow),
  );
  const { result, entries } = await runScenarios(flags, chosen);
  print(flags, result, entries);
  return exitCode(flags, result, entries);
}

function print(flags: Flags, result: Result, entries: readonly Entry[]): void {
  const { noise, machine } = result;
  const lines = ['', table(entries), `on a machine where ${costs(machine)}`, '', ...complaints(entries)];
  lines.push(
    `others used ${noise.foreign_cores_median.toFixed(2)} cores (median of the rounds), ` +
      `stolen ${(noise.steal_max * 100).toFixed(1)} % at most, ${noise.repeats} rounds repeated`,
  );
  if (noise.noisy) lines.push('NOISY: others were busy; a missed floor does not fail this run.');
  if (flags.compare) {
    lines.push('', compare(JSON.parse(readFileSync(flags.compare, 'utf8')) as Result, result));
  }
  if (flags.profile) lines.push('', topFunctions(flags.profile));
  process.stdout.write(`${lines.join('\n')}\n`);
  if (flags.json) writeFileSync(path.resolve(flags.json), `${JSON.stringify(result, null, 1)}\n`);
}

function exitCode(flags: Flags, { noise }: Result, entries: readonly Entry[]): ExitCode {
  if (entries.some(({ faults }) => faults.length > 0)) return 1;
  const missed = entries.some((entry) => failsFloor(entry, flags.quick));
  return missed && !noise.noisy && !flags.profile ? 1 : 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = error instanceof FlagFault;
    const text = error instanceof Error && !known ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`The bench says nothing: ${text}\n`);
    process.exit(2);
  },
);
