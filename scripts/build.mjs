// One `tsc -b` over all projects, then the pages and the bundles, when a source has changed since the last one.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environment, node24 } from './node24.mjs';
import { fail, root, run, say, seconds } from './terminal.mjs';

const MARKER = join(root, '.nx', 'built');
/** Projects with scripts for browsers. */
const PAGES = ['checkout', 'approval'].map((name) => join(root, 'libs', name, 'page'));
const BUILT_PAGES = ['checkout/page/dist/browser', 'approval/page/dist/served'].map((folder) => join(root, 'libs', folder, 'manifest.json'));
const BUNDLES = join('scripts', 'bundle.mjs');
const SETTINGS = ['tsconfig.base.json', 'tsconfig.json', 'package-lock.json', BUNDLES];
const FOLDERS = ['libs', 'apps', 'tools'];
const NOT_SOURCES = new Set(['node_modules', 'dist', '.data', 'coverage']);
/** What a build reads: TypeScript without the tests, styles, and the projects' own settings. */
const SOURCE = /(?<!\.spec|\.scenario)\.tsx?$|\.css$|^vite[.-]\w+\.mjs$|^(?:tsconfig|package)\.json$/;

export function isBuilt() {
  return existsSync(MARKER) && readFileSync(MARKER, 'utf8') === fingerprint() && outputsExist();
}

export async function build() {
  const wanted = fingerprint();
  if (isBuilt()) return;
  const started = Date.now();
  say('building');
  if ((await compile(['-b'])) !== 0) {
    fail(
      'the sources do not compile; the compiler says above where.',
      'If you have changed nothing, run `git status` and `git pull`, then start again.',
    );
  }
  await buildPages();
  if ((await run(node24(), [join(root, BUNDLES)])) !== 0) fail('the programs could not be bundled; the lines above say why.');
  mkdirSync(dirname(MARKER), { recursive: true });
  writeFileSync(MARKER, wanted);
  say(`built in ${seconds(started)}`);
}

/** What browsers load: a second. */
export async function buildPages() {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const built = PAGES.map((pages) =>
    run(node24(), [vite, 'build', pages, '--config', join(pages, 'vite.config.mjs')], { env: environment() }),
  );
  if ((await Promise.all(built)).every((code) => code === 0)) return;
  fail('the pages for browsers could not be built; Vite says above why.', 'Run `npm ci --include=dev`, then start again.');
}

/** TypeScript 7, with these arguments, in the project's folder. */
export function compile(args) {
  const compiler = join(root, 'node_modules', 'typescript7', 'bin', 'tsc');
  return run(node24(), [compiler, ...args], { env: environment() });
}

/** Names, sizes and times of all sources: 20 ms instead of reading them. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const name of SETTINGS) add(join(root, name));
  for (const folder of FOLDERS) walk(join(root, folder));
  return hash.digest('hex');

  function walk(folder) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !NOT_SOURCES.has(entry.name)) walk(path);
      else if (entry.isFile() && SOURCE.test(entry.name)) add(path);
    }
  }

  function add(path) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
}

function outputsExist() {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const made = [...BUILT_PAGES, join(root, 'dist', 'files.json')];
  return made.every(existsSync) && references.every(({ path }) => existsSync(join(root, path, 'dist', '.tsbuildinfo')));
}
