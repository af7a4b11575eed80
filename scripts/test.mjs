// npm test: every test there is, and the scenarios on every run of the program. Arguments go to jest, and are
// about the embedded run alone.
// The last line is `<n> passed, <n> failed`, and the exit code agrees with it.
import { jest } from './jest.mjs';
import { prepare } from './prepare.mjs';
import { jestFor, RUNS } from './runs.mjs';
import { say } from './terminal.mjs';

// Also when it does not come to testing at all.
let summary = '0 passed, 1 failed';
process.on('exit', () => process.stdout.write(`${summary}\n`));

await prepare();
const args = process.argv.slice(2);
const everything = args.length === 0;
let [passed, failed, skipped, ok] = [0, 0, 0, true];
for (const run of everything ? RUNS : ['embedded']) {
  const { args: flags, env } = jestFor(run);
  if (everything) say(run === 'embedded' ? 'all tests' : `scenarios on the ${run} run`);
  const where = run === 'embedded' ? args : ['apps/scenarios'];
  const found = await jest([...where, ...flags], env);
  passed += found.passed;
  failed += found.failed;
  skipped += found.skipped;
  ok &&= found.ok;
}
// A test that is left out proves nothing. Leaving out is what a filter is for.
const forgotten = everything ? skipped : 0;
if (forgotten > 0) say(`${forgotten} tests are marked to be left out: each counts as failed`);
summary = `${passed} passed, ${failed + forgotten} failed`;
process.exitCode = ok && forgotten === 0 ? 0 : 1;
