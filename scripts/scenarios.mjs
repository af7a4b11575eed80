// npm run scenarios [-- --on postgres,eventstore] [jest arguments]: the merchants' stories on every run of the
// program: in one process, and as services over either log. Ends with `<n> passed, <n> failed`.
import { prepare } from './prepare.mjs';
import { RUNS, testRuns } from './runs.mjs';
import { fail, say } from './terminal.mjs';

const args = process.argv.slice(2);
const at = args.indexOf('--on');
const wanted = at < 0 ? RUNS : (args.splice(at, 2)[1] ?? '').split(',');
const unknown = wanted.filter((run) => !RUNS.includes(run));
if (unknown.length > 0) fail(`--on takes ${RUNS.join(', ')}, not "${unknown.join(', ')}".`);

await prepare();
// Only the scenarios are looked for; what the arguments mean, jest knows.
const { summary, ok } = await testRuns(
  wanted,
  (run) => {
    say(`scenarios on the ${run} run`);
    return [...args, '--roots=apps/scenarios'];
  },
  args.length > 0,
);
process.stdout.write(`${summary}\n`);
process.exitCode = ok ? 0 : 1;
