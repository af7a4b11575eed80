// node scripts/container.mjs <project> [arguments]: runs a built program, in a container as process 1.
// The program itself handles SIGTERM; nothing stands between it and the signal.
import { launch } from './launch.mjs';
import { fail } from './terminal.mjs';

const [project, ...args] = process.argv.slice(2);
if (!project) fail('which program?', 'For example: apps/gateway, apps/payments, tools/localnet.');
launch(project, args);
