import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../../..');

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};

/** Every npm package that the signer can load, as the lockfile has it: `name@version integrity`, sorted. */
export function signerPackages(): readonly string[] {
  const places = new Set<string>();
  const add = (name: string, from: string): void => {
    const place = placeOf(name, from);
    if (place === null) throw new Error(`the lockfile has no ${name} for ${from}`);
    if (places.has(place)) return;
    places.add(place);
    const locked = packages[place] as Locked;
    const peers = Object.keys(locked.peerDependencies ?? {}).filter(
      (peer) => !locked.peerDependenciesMeta?.[peer]?.optional,
    );
    const others = { ...locked.dependencies, ...locked.optionalDependencies };
    for (const other of [...Object.keys(others), ...peers]) add(other, place);
  };
  for (const name of importedPackages()) add(name, '');
  return [...places].sort().map((place) => {
    const { version, integrity } = packages[place] as Locked;
    return `${place.slice(place.lastIndexOf('node_modules/') + 13)}@${version} ${integrity}`;
  });
}

/** Node looks into every node_modules on the way up. */
function placeOf(name: string, from: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const place = `${at ? `${at}/` : ''}node_modules/${name}`;
    if (packages[place]) return place;
    if (at === '') return null;
  }
}

/** What the sources of the signer, and of the libraries that it stands on, import from npm. */
function importedPackages(): ReadonlySet<string> {
  const found = new Set<string>();
  const read = new Set<string>();
  const project = (folder: string): void => {
    if (read.has(folder)) return;
    read.add(folder);
    for (const file of sourcesIn(join(ROOT, folder, 'src'))) {
      for (const name of importsOf(readFileSync(file, 'utf8'))) {
        if (!name.startsWith('@tender/')) found.add(name);
        else project(folderOf(name));
      }
    }
  };
  project('apps/signer');
  return found;
}

const SKIPPED = /\.spec\.ts$/;

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sourcesIn(path);
    return path.endsWith('.ts') && !SKIPPED.test(path) ? [path] : [];
  });
}

const IMPORT = /(?:^(?:import|export|\}).* from |^import |\b(?:require|import)\()'([^'.][^']*)'/gm;

/** Their packages: `@noble/curves/ed25519.js` is of `@noble/curves`. */
const importsOf = (source: string): string[] =>
  [...source.matchAll(IMPORT)]
    .map(([, name]) => name as string)
    .filter((name) => !isBuiltin(name) && !isOwnFile(name))
    .map((name) => name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/'));

/** Named in `imports` of the project's own package.json. */
const isOwnFile = (name: string): boolean => name.startsWith('#');

/** Where a project of this repository is: its link in the lockfile says so. */
const folderOf = (name: string): string => {
  const { link, resolved } = packages[`node_modules/${name}`] as Locked;
  if (!link || !resolved) throw new Error(`${name} is no project of this repository`);
  return resolved;
};
