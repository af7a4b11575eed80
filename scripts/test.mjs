// npm test: every test there is, and the scenarios on every run of the program. Arguments go to jest, and are
// about the embedded run alone.
// The last line is `<n> passed, <n> failed`, and the exit code agrees with it.
import { prepare } from './prepare.mjs';
import { RUNS, testRuns } from './runs.mjs';
import { say } from './terminal.mjs';

// Also when it does not come to testing at all.
let summary = '0 passed, 1 failed';
process.on('exit', () => process.stdout.write(`${summary}\n`));

await prepare();
const args = process.argv.slice(2);
const everything = args.length === 0;
const found = await testRuns(
  everything ? RUNS : ['embedded'],
  (run) => {
    if (everything) say(run === 'embedded' ? 'all tests' : `scenarios on the ${run} run`);
    return run === 'embedded' ? args : ['apps/scenarios'];
  },
  !everything,
);
summary = found.summary;
process.exitCode = found.ok ? 0 : 1;
