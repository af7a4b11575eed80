// node scripts/run.mjs <project> [arguments]: installs and builds what is missing, then runs <project>.
import { launch } from './launch.mjs';
import { prepare } from './prepare.mjs';
import { fail } from './terminal.mjs';

const [project, ...args] = process.argv.slice(2);
if (!project) fail('which program?', 'For example: node scripts/run.mjs tools/localnet');
await prepare();
launch(project, args);
