// npm test: every spec, and the stories on the runs of each landing. `-- --all` leaves nothing out: what is missing on
// this machine is an error. Other arguments go to jest. The last line is `<n> passed, <n> failed`.
import { prepare } from './prepare.mjs';
import { planTests, playAll, promiseResult, report } from './runs.mjs';
import { say } from './terminal.mjs';

promiseResult();
await prepare();
const args = process.argv.slice(2);
const all = args.indexOf('--all');
if (all >= 0) args.splice(all, 1);

const { played, left_out } = await planTests({ args });
const lacks = all >= 0 && left_out.length > 0;
if (lacks) say('--all leaves nothing out, and this machine lacks what is named below');
process.exitCode = report(await playAll(lacks ? [] : played, args), left_out) ? 0 : 1;
