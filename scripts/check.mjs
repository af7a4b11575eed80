// npm run check: types, lint with boundaries, secrets, unit tests. Run it before every commit. `--no-tests` leaves out
// the last step, for a caller that runs all tests anyway.
import { join } from 'node:path';
import { compile } from './build.mjs';
import { lint } from './lint.mjs';
import { node24 } from './node24.mjs';
import { prepare } from './prepare.mjs';
import { planTests, playAll } from './runs.mjs';
import { root, run, say, seconds } from './terminal.mjs';

const NOT_UNIT = [
  '/node_modules/',
  '/dist/',
  '\\.(slice|conformance)\\.spec\\.ts$',
  '\\.scenario\\.ts$',
];

const UNIT_TESTS = 'unit tests';
const steps = {
  'types of the programs': async () => (await compile(['-b'])) === 0,
  'types of the tests': async () => (await compile(['-p', 'tsconfig.spec.json'])) === 0,
  'lint and boundaries': async () => {
    const { ok, output } = await linting;
    process.stdout.write(output);
    return ok;
  },
  'no secrets': async () => (await run(node24(), [join(root, 'tools/secret-scan/dist/main.js')])) === 0,
  [UNIT_TESTS]: async () => {
    const { played, left_out } = await planTests({ args: ['--testPathIgnorePatterns', ...NOT_UNIT], runs: ['embedded'] });
    for (const { need, files } of left_out) say(`left out, for want of ${need}: ${files.join(', ')}`);
    return (await playAll(played)).failed === 0;
  },
};

if (process.argv.includes('--no-tests')) delete steps[UNIT_TESTS];
await prepare({ built: false });
const began = Date.now();
// On one core, beside the compiler: it reads sources, not what is built of them.
const linting = lint();
const failed = [];
const times = [];
for (const [name, step] of Object.entries(steps)) {
  const started = Date.now();
  say(name);
  if (!(await step())) failed.push(name);
  times.push(`${name} ${seconds(started)}`);
}
say(`${times.join(', ')}; together ${seconds(began)}`);
if (failed.length > 0) say(`failed: ${failed.join(', ')}`);
else say('all is well');
process.exit(failed.length > 0 ? 1 : 0);
