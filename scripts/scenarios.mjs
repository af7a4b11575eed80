// npm run scenarios [-- --all] [--on postgres,eventstore] [jest arguments]: the merchants' stories on the runs of each
// landing; with `--all` each on every run that it can be played on. Ends with `<n> passed, <n> failed`.
import { prepare } from './prepare.mjs';
import { planTests, playAll, promiseResult, report } from './runs.mjs';
import { fail, say } from './terminal.mjs';
import { RUNS } from './test-files.mjs';

const args = process.argv.slice(2);
const at = args.indexOf('--on');
const runs = at < 0 ? RUNS : (args.splice(at, 2)[1] ?? '').split(',');
const unknown = runs.filter((run) => !RUNS.includes(run));
if (unknown.length > 0) fail(`--on takes ${RUNS.join(', ')}, not "${unknown.join(', ')}".`);
const all = args.indexOf('--all');
if (all >= 0) args.splice(all, 1);

promiseResult();
await prepare();
const stories = [...args, '--roots=apps/scenarios'];
const { played, left_out } = await planTests({ args: stories, runs, everywhere: all >= 0 });
const lacks = all >= 0 && left_out.length > 0;
if (lacks) say('--all leaves nothing out, and this machine lacks what is named below');
process.exitCode = report(await playAll(lacks ? [] : played, args), left_out) ? 0 : 1;
