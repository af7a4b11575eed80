// npm start: installs and builds what is missing, then runs everything in one process.
import { launch } from './launch.mjs';
import { prepare } from './prepare.mjs';

await prepare();
launch('apps/embedded', process.argv.slice(2));
