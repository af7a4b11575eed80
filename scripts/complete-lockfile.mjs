// npm leaves optional packages of other platforms out of the lockfile when it cannot see them, and then
// `npm ci` refuses the lockfile (npm/cli issue 4828). This writes them in. To be run after `npm install`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './terminal.mjs';

const FILE = join(root, 'package-lock.json');
const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const REGISTRY = 'https://registry.npmjs.org';

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const added = [];
for (const [place, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    if (isLocked(place, name)) continue;
    lock.packages[`node_modules/${name}`] = entryFor(name, range, dev);
    added.push(name);
  }
}
if (added.length > 0) {
  const byName = ([one], [other]) => one.localeCompare(other, 'en');
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byName));
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
}
if (added.length > 0) say(`written into the lockfile: ${added.join(', ')}`);
else say('the lockfile is complete');

/** Node looks for a package in every node_modules on the way up. */
function isLocked(place, name) {
  for (let at = place; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (lock.packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

function entryFor(name, range, dev) {
  const version = range.replace(/^[\^~]/, '');
  const words = name.split(/[-/]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : null;
  return {
    version,
    resolved: `${REGISTRY}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(os === 'linux' && libc ? { libc: [libc] } : {}),
    ...(dev ? { dev } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  };
}
