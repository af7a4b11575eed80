// Runs a built program on Node 24 in place of this script: same terminal, same signals, same exit code.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { basename, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { isNode24, node24 } from './node24.mjs';
import { fail, root, say } from './terminal.mjs';

const require = createRequire(import.meta.url);
const FOLLOW_PARENT = join(root, 'scripts', 'follow-parent.cjs');

/** Not V8’s: they count where Node begins, so an image names them in NODE_OPTIONS. */
const OF_NODE = /^--(?:disable-proto|disable-sigusr1|no-addons)\b/;

/** `project` is a folder: `apps/embedded`. */
export function launch(project, args) {
  const main = mainOf(project);
  if (!existsSync(main)) fail(`${project} has no program: ${main} does not exist.`);
  // A killed npm cannot signal its children; they see that they have become orphans.
  if (process.env.npm_lifecycle_event) require(FOLLOW_PARENT);
  const flags = flagsOf(project);
  if (isNode24) runHere(main, args, flags);
  else runBelow(main, args, flags);
}

/** The bundle of an app; of a signer and of a tool, what the compiler has written. */
export function mainOf(project) {
  const is_bundled = project.startsWith('apps/') && project !== 'apps/signer';
  return is_bundled ? join(root, 'dist', `${basename(project)}.js`) : join(root, project, 'dist', 'main.js');
}

/** What a program asks of V8, in its package.json. */
function flagsOf(project) {
  return require(join(root, project, 'package.json')).tender?.nodeFlags ?? [];
}

function runHere(main, args, flags) {
  // The size of the young generation only counts at the very start; it only saves memory.
  for (const flag of flags.filter((one) => !OF_NODE.test(one))) setFlagsFromString(flag);
  process.argv.splice(1, process.argv.length, main, ...args);
  require('node:module').runMain();
}

function runBelow(main, args, flags) {
  const node_args = [...flags, '-r', FOLLOW_PARENT, main, ...args];
  const child = spawn(node24(), node_args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => fail(`Node 24 cannot be started: ${error.message}`));
  child.once('exit', (code, signal) => {
    if (signal) say(`the program was ended by ${signal}`);
    process.exit(signal ? 128 + constants.signals[signal] : code);
  });
}
