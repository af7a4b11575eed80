import path from 'node:path';
import { readBuilt, type Asset } from '@tender/page';

/** Where browsers load scripts from. */
export const ASSETS_PATH = '/assets/';

export interface LoadedAssets {
  /** Address of the first script of the set-up page; it loads the one that makes keys when that is needed. */
  readonly script: string;
  /** Address of the script that makes keys. */
  readonly keys_script: string;
  /** Address of the one script of the page on which a request is approved. */
  readonly approve_script: string;
  readonly style: string;
  /** By file name. */
  readonly scripts: ReadonlyMap<string, Asset>;
}

const FOLDER = path.join(__dirname, '..', 'dist', 'served');
const MANIFESTS = ['manifest.json', 'approve-manifest.json'];

/** What the build has made for browsers, read once. */
export function loadAssets(folder = FOLDER): LoadedAssets {
  const { scripts, fileOf, styleOf } = readBuilt(folder, MANIFESTS);
  return {
    script: ASSETS_PATH + fileOf('src/browser/main.tsx'),
    keys_script: ASSETS_PATH + fileOf('src/browser/keys.ts'),
    approve_script: ASSETS_PATH + fileOf('src/browser/approve.tsx'),
    style: styleOf('src/style.css'),
    scripts,
  };
}
