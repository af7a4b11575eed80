// What CI does, in this order; `.ci/run` starts it. It ends with a table of where the time went, and with
// `<n> passed, <n> failed` on the last line. The exit code is 0 only when every step has passed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install } from './install.mjs';
import { planTests, playAll, promiseResult, report } from './runs.mjs';
import { collect, root, run, say } from './terminal.mjs';

const SLOWEST = 10;
/** What CI does without where it cannot be had; the last lines name the tests that were left out for it. */
const DISPENSABLE = ['php'];
const steps = [];
const began = Date.now();
promiseResult();

async function step(name, work) {
  say(`== ${name}`);
  const started = Date.now();
  const ok = await work();
  steps.push({ name, seconds: (Date.now() - started) / 1000, ok });
  if (!ok) say(`failed: ${name}`);
}

/** Guards are taken out of a signer by turns: each commit plays some of them, and so many commits play all. */
const PARTS_OF_MUTANTS = 16;

/** The part of this commit. */
function partOfMutants() {
  const { stdout } = spawnSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
  const commit = Number.parseInt(stdout?.slice(0, 8) || '0', 16);
  return `${(commit % PARTS_OF_MUTANTS) + 1}/${PARTS_OF_MUTANTS}`;
}

const pathOf = (name) => join(root, 'scripts', name);
const scriptIsWell = (name, ...args) => async () => (await run(process.execPath, [pathOf(name), ...args])) === 0;

/** Is printed in one piece, at its end: another step runs beside it. */
const besideIsWell = (name, ...args) => async () => {
  const { code, output } = await collect(process.execPath, [pathOf(name), ...args]);
  process.stdout.write(`== what \`${[name, ...args].join(' ')}\` said\n${output}`);
  return code === 0;
};

await step('packages', async () => {
  await install();
  return true;
});
await step('types and lint', scriptIsWell('check.mjs', '--no-tests'));
await step('planted violations are found', scriptIsWell('planted-violation.mjs'));
// Builds what is missing, so that no step below builds while another one reads. Each of those keeps one core busy.
await step('the committed contracts are those of the code', scriptIsWell('run.mjs', 'tools/contracts', '--check'));
await Promise.all([
  step('attack', besideIsWell('attack.mjs', '--mutants', partOfMutants())),
  step('no secrets, in no commit', besideIsWell('run.mjs', 'tools/secret-scan', '--history')).then(() =>
    step('the image, the compose file and the chart', besideIsWell('check-deploy.mjs')),
  ),
]);

const { played, left_out } = await planTests({});
const lacks = left_out.some(({ need }) => !DISPENSABLE.includes(need));
if (lacks) say('CI leaves nothing out, and this machine lacks what is named below');
const tests = await playAll(lacks ? [] : played);
steps.push(...tests.steps);
printTables();
const is_well = report(tests, left_out);
process.exitCode = is_well && steps.every(({ ok }) => ok) ? 0 : 1;

function printTables() {
  const rows = steps.map(({ name, seconds, tests: count, ok }) => [name, seconds, count ?? '', ok ? '' : 'FAILED']);
  rows.push(['together', (Date.now() - began) / 1000, tests.passed + tests.failed, '']);
  print(['step', 'seconds', 'tests', ''], rows);
  const slowest = tests.files.sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  const files = slowest.map(({ path, run: on, seconds, tests: count }) => [`${path} (${on})`, seconds, count, '']);
  print([`the slowest ${SLOWEST} files`, 'seconds', 'tests', ''], files);
}

function print(head, rows) {
  const width = Math.max(...[head, ...rows].map(([name]) => name.length));
  const lines = [head, ...rows].map(([name, seconds, count, note]) => {
    const time = typeof seconds === 'number' ? seconds.toFixed(1) : seconds;
    return `${name.padEnd(width)} ${time.padStart(8)} ${String(count).padStart(6)} ${note}`.trimEnd();
  });
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
