// `npm ci` when node_modules is missing or the lockfile has changed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, root, run, say, seconds } from './terminal.mjs';

const ATTEMPTS = 3;
const PAUSE_MS = 5_000;
const MODULES = join(root, 'node_modules');
const MARKER = join(MODULES, '.installed');
/** Install scripts never run. Development packages are needed also where NODE_ENV is production. */
const ARGUMENTS = [
  'ci',
  '--ignore-scripts',
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

export function isInstalled() {
  return existsSync(MARKER) && readFileSync(MARKER, 'utf8') === wanted();
}

export async function install() {
  if (isInstalled()) return;
  if (isSameByHand()) {
    writeFileSync(MARKER, wanted());
    return;
  }
  const started = Date.now();
  say('installing the npm packages (once, and when package-lock.json changes)');
  for (let attempt = 1; (await npm()) !== 0; attempt += 1) {
    if (attempt === ATTEMPTS) {
      fail(
        'the npm packages cannot be installed; npm says above why.',
        'Check the connection to the npm registry and the free disk space, then start again.',
      );
    }
    say('npm failed; trying once more');
    await sleep(PAUSE_MS);
  }
  writeFileSync(MARKER, wanted());
  say(`packages installed in ${seconds(started)}`);
}

function npm() {
  const waiting = { waiting: 'installing' };
  const own = process.env.npm_execpath;
  if (own && /npm-cli\.c?js$/.test(own)) return run(process.execPath, [own, ...ARGUMENTS], waiting);
  return run('npm', ARGUMENTS, waiting);
}

function wanted() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  return `${hash.digest('hex')} ${process.platform}-${process.arch}`;
}

/** True when the user's own `npm install` has already put in place what the lockfile says. */
function isSameByHand() {
  const record = join(MODULES, '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const names = Object.keys(locked).filter((name) => name.startsWith('node_modules/'));
  return names.every((name) => {
    if (locked[name].link) return existsSync(join(root, name));
    if (!installed[name]) return locked[name].optional === true;
    return installed[name].version === locked[name].version;
  });
}
