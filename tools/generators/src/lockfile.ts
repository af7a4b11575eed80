import { changeJson, type Files } from './files';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}
interface Lockfile {
  packages: Record<string, object>;
}

/** What npm would write of these workspaces: their own entries, their links, and the list in the root's entry. */
export function lockWorkspaces(files: Files, folders: readonly string[]): void {
  const manifestOf = (folder: string) =>
    JSON.parse(files.read(`${folder}package.json`, 'utf-8') ?? '') as Manifest;
  changeJson<Lockfile>(files, 'package-lock.json', (lock) => {
    const { workspaces } = manifestOf('');
    const root = { ...lock.packages[''], workspaces };
    const entries = folders.flatMap((folder) => {
      const { name, version, dependencies } = manifestOf(`${folder}/`);
      const locked = { ...(dependencies ? { dependencies: byName(dependencies) } : {}) };
      const link = { resolved: folder, link: true };
      return [[folder, { name, version, ...locked }], [`node_modules/${name}`, link]] as const;
    });
    lock.packages = byName({ ...lock.packages, '': root, ...Object.fromEntries(entries) });
  });
}

const byName = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(record).sort(([one], [other]) => one.localeCompare(other, 'en')),
  );
