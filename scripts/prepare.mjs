// What every command needs first: the packages and, for most, the build. Free when both are in place.
import { join } from 'node:path';
import { build, isBuilt } from './build.mjs';
import { install, isInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { fail, root } from './terminal.mjs';

const LOCK = join(root, '.nx', 'prepare.lock');

export async function prepare({ built = true } = {}) {
  checkVersion();
  if (isInstalled() && (!built || isBuilt())) return;
  await withLock(LOCK, async () => {
    await install();
    if (built) await build();
  });
}

function checkVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(
    `this is Node ${process.versions.node}; at least 20.19 is needed.`,
    'Get a newer one from https://nodejs.org.',
  );
}
