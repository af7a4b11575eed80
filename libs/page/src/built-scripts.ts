import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A script in the forms that browsers take; compressed when it was built. */
export interface Asset {
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

type Manifest = Readonly<Record<string, { readonly file: string }>>;

export interface Built {
  /** By file name. */
  readonly scripts: ReadonlyMap<string, Asset>;
  /** The file that the build has made of a source. Throws where there is none. */
  fileOf(source: string): string;
  /** The text of a style that the build has made. */
  styleOf(source: string): string;
}

/** What a build has made for browsers. `manifests`: the files in that folder that say what was made of what. */
export function readBuilt(folder: string, manifests: readonly string[]): Built {
  const read = (name: string): Buffer => readFileSync(path.join(folder, name));
  const parsed = manifests.map((name) => JSON.parse(read(name).toString()) as Manifest);
  const manifest = Object.assign({}, ...parsed) as Manifest;
  const fileOf = (source: string): string => {
    const file = manifest[source]?.file;
    if (!file) throw new Error(`The build of the pages has made nothing of ${source}.`);
    return file;
  };
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const scripts = new Map(
    names.map((name) => [name, { plain: read(name), br: read(`${name}.br`), gzip: read(`${name}.gz`) }]),
  );
  return { scripts, fileOf, styleOf: (source) => read(fileOf(source)).toString().trim() };
}
