import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BuiltAssets } from './render-page';

/** Where browsers load scripts from. */
export const ASSETS_PATH = '/checkout/assets/';

/** A script in the forms that browsers take; compressed when it was built. */
export interface Asset {
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

export interface LoadedAssets extends BuiltAssets {
  /** By file name. */
  readonly scripts: ReadonlyMap<string, Asset>;
}

const FOLDER = path.join(__dirname, '..', 'dist', 'browser');
type Manifest = Readonly<Record<string, { readonly file: string }>>;
const MANIFESTS = ['manifest.json', 'plan-manifest.json'];
const ENTRY = 'src/browser/main.tsx';
const PLAN_ENTRY = 'src/browser/subscribe.ts';
const STYLE = 'src/style.css';

/** What the build has made for browsers, read once. */
export function loadAssets(folder = FOLDER): LoadedAssets {
  const read = (name: string): Buffer => readFileSync(path.join(folder, name));
  const manifests = MANIFESTS.map((name) => JSON.parse(read(name).toString()) as Manifest);
  const manifest = Object.assign({}, ...manifests) as Manifest;
  const fileOf = (source: string): string => {
    const file = manifest[source]?.file;
    if (!file) throw new Error(`The build of the checkout page has made nothing of ${source}.`);
    return ASSETS_PATH + file;
  };
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const scripts = new Map(
    names.map((name) => [name, { plain: read(name), br: read(`${name}.br`), gzip: read(`${name}.gz`) }]),
  );
  const style = read(path.basename(fileOf(STYLE))).toString().trim();
  return { script: fileOf(ENTRY), plan_script: fileOf(PLAN_ENTRY), style, scripts };
}
