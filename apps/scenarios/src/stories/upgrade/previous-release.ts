import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../../..');

/** The last release that ran in one process only: early users have a data folder of it. */
export const BASELINE = '460f7a9';

/** What the program is made of; a commit that changes nothing here is the same release. */
const SOURCES = [
  'apps/embedded',
  'apps/signer',
  'libs',
  'tools/localnet',
  'scripts/bundle.mjs',
  ':(exclude)**/*.spec.ts',
  ':(exclude)**/testing/**',
  ':(exclude)**/recorded/**',
];

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', ROOT, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** Whether the sources of the working tree, as they lie there, are those of that commit. */
function isSame(commit: string): boolean {
  return spawnSync('git', ['-C', ROOT, 'diff', '--quiet', commit, '--', ...SOURCES]).status === 0;
}

/**
 * The newest commit whose program differs from the one that lies here, which is HEAD while there are changes,
 * and the baseline. Throws a sentence that says what is missing when the history is not there.
 */
export function previousReleases(): readonly string[] {
  if (spawnSync('git', ['-C', ROOT, 'rev-parse', '--git-dir']).status !== 0) {
    throw new Error(
      'The upgrade test needs the history of the repository, and there is no git here: run it in a clone, not in an exported tree.',
    );
  }
  if (realpathSync(git('rev-parse', '--show-toplevel')) !== realpathSync(ROOT)) {
    throw new Error(
      'The upgrade test needs the history of the repository, and this folder is a part of another one: run it in a clone.',
    );
  }
  const history = git('rev-list', '--first-parent', '--max-count=200', 'HEAD').split('\n');
  const is_new = git('ls-files', '--others', '--exclude-standard', '--', ...SOURCES) !== '';
  const previous = is_new ? history[0] : history.find((commit) => !isSame(commit));
  const baseline = spawnSync('git', ['-C', ROOT, 'rev-parse', '--verify', `${BASELINE}^{commit}`], {
    encoding: 'utf8',
  });
  if (!previous || baseline.status !== 0) {
    const missing = previous ? `the baseline ${BASELINE}` : 'any commit before the present one';
    throw new Error(
      `The upgrade test misses ${missing}: this clone is shallow. Run \`git fetch --unshallow\`, or let CI clone with its whole history.`,
    );
  }
  return [...new Set([previous, baseline.stdout.trim()])];
}

/** It starts the signers as programs of their own, since there are some. */
const PROGRAMS = ['apps/embedded', 'apps/signer'];
const MAIN = 'apps/embedded/dist/main.js';
/** Of releases that bundle their programs. */
const BUNDLE = 'dist/embedded.js';
const BUNDLES = 'scripts/bundle.mjs';
/** Not TS2742 and TS2883: types that are not portable because packages are linked here, which programs never use. */
const FAULT = /error TS(?!2742|2883)/;

/** The program of an earlier commit, built in a folder of its own that shares only this tree's packages. */
export class Release {
  private constructor(
    private readonly folder: string,
    /** What `node` runs. */
    readonly main: string,
  ) {}

  /** Throws what the compiler says, and which packages are others than that commit was made with. */
  static build(commit: string): Release {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tender-release-'));
    try {
      const archive = execFileSync('git', ['-C', ROOT, 'archive', commit], {
        maxBuffer: 256 * 1024 * 1024,
      });
      execFileSync('tar', ['-x', '-C', folder], { input: archive });
      linkPackages(folder);
      const compiler = path.join(ROOT, 'node_modules/typescript7/bin/tsc');
      const programs = PROGRAMS.filter((program) => existsSync(path.join(folder, program)));
      const built = spawnSync(process.execPath, [compiler, '-b', ...programs], {
        cwd: folder,
        encoding: 'utf8',
      });
      const faults = built.stdout.split('\n').filter((line) => FAULT.test(line));
      if (faults.length > 0 || !existsSync(path.join(folder, MAIN))) {
        const others = otherPackages(folder);
        const hint = others.length
          ? ` It was made with other packages: ${others.join(', ')}.`
          : ' Its packages are the ones that are installed here.';
        throw new Error(`Commit ${commit} does not build.${hint}\n${faults.join('\n')}${built.stderr}`);
      }
      buildPages(folder);
      const is_bundled = existsSync(path.join(folder, BUNDLES));
      if (is_bundled) execFileSync(process.execPath, [BUNDLES], { cwd: folder, stdio: 'pipe' });
      return new Release(folder, path.join(folder, is_bundled ? BUNDLE : MAIN));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What browsers get, in releases that have pages. Throws what the builder says. */
function buildPages(folder: string): void {
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js');
  for (const pages of ['libs/checkout/page', 'libs/approval/page']) {
    const config = `${pages}/vite.config.mjs`;
    if (!existsSync(path.join(folder, config))) continue;
    execFileSync(process.execPath, [vite, 'build', pages, '--config', config], {
      cwd: folder,
      stdio: 'pipe',
    });
  }
}

/** Installed packages by symbolic link; the workspace's own names lead to the earlier sources. */
function linkPackages(folder: string): void {
  const installed = path.join(ROOT, 'node_modules');
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, '@tender'), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name === '@tender' || name.startsWith('.')) continue;
    symlinkSync(path.join(installed, name), path.join(modules, name));
  }
  for (const [place, { link, resolved }] of Object.entries(lockedPackages(folder))) {
    if (!link || !resolved || !place.startsWith('node_modules/@tender/')) continue;
    symlinkSync(path.join(folder, resolved), path.join(folder, place));
  }
}

interface Locked {
  readonly version?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly optional?: boolean;
}

function lockedPackages(folder: string): Readonly<Record<string, Locked>> {
  const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  return lock.packages;
}

/** Packages that the earlier lockfile names and that are installed here in another version, or not at all. */
function otherPackages(folder: string): string[] {
  return Object.entries(lockedPackages(folder)).flatMap(([place, { version, link, optional }]) => {
    if (!place.startsWith('node_modules/') || link) return [];
    const file = path.join(ROOT, place, 'package.json');
    if (!existsSync(file)) return optional ? [] : [`${place.slice(13)}@${version} (missing here)`];
    const here = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    return here === version ? [] : [`${place.slice(13)}@${version} (here ${here})`];
  });
}
