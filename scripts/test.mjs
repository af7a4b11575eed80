// npm test: every test there is, scenarios included. Arguments go to jest.
// The last line is `<n> passed, <n> failed`, and the exit code agrees with it.
import { jest } from './jest.mjs';
import { prepare } from './prepare.mjs';
import { say } from './terminal.mjs';

// Also when it does not come to testing at all.
let summary = '0 passed, 1 failed';
process.on('exit', () => process.stdout.write(`${summary}\n`));

await prepare();
const args = process.argv.slice(2);
const { passed, failed, skipped, ok } = await jest(['--maxWorkers=2', ...args]);
// A test that is left out proves nothing. Leaving out is what a filter is for.
const forgotten = args.length === 0 ? skipped : 0;
if (forgotten > 0) say(`${forgotten} tests are marked to be left out: each counts as failed`);
summary = `${passed} passed, ${failed + forgotten} failed`;
process.exitCode = ok && forgotten === 0 ? 0 : 1;
