// npm run scenarios [-- --on postgres,eventstore] [jest arguments]: the merchants' stories on every run of the
// program: in one process, and as services over either log. Ends with `<n> passed, <n> failed`.
import { jest } from './jest.mjs';
import { prepare } from './prepare.mjs';
import { jestFor, RUNS } from './runs.mjs';
import { fail, say } from './terminal.mjs';

const args = process.argv.slice(2);
const at = args.indexOf('--on');
const wanted = at < 0 ? RUNS : (args.splice(at, 2)[1] ?? '').split(',');
const unknown = wanted.filter((run) => !RUNS.includes(run));
if (unknown.length > 0) fail(`--on takes ${RUNS.join(', ')}, not "${unknown.join(', ')}".`);

await prepare();
const total = { passed: 0, failed: 0, ok: true };
for (const run of wanted) {
  say(`scenarios on the ${run} run`);
  const { args: flags, env } = jestFor(run);
  const files = args.some((arg) => !arg.startsWith('-')) ? args : ['apps/scenarios', ...args];
  // The files first: what follows --testPathIgnorePatterns belongs to it.
  const found = await jest([...files, ...flags], env);
  total.passed += found.passed;
  total.failed += found.failed;
  total.ok &&= found.ok;
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.ok ? 0 : 1;
