import path from 'node:path';
import { readBuilt, type Asset } from '@tender/page';
import type { BuiltAssets } from './render-page';

/** Where browsers load scripts from. */
export const ASSETS_PATH = '/checkout/assets/';

export interface LoadedAssets extends BuiltAssets {
  /** By file name. */
  readonly scripts: ReadonlyMap<string, Asset>;
}

const FOLDER = path.join(__dirname, '..', 'dist', 'browser');
const MANIFESTS = ['manifest.json', 'plan-manifest.json'];

/** What the build has made for browsers, read once. */
export function loadAssets(folder = FOLDER): LoadedAssets {
  const { scripts, fileOf, styleOf } = readBuilt(folder, MANIFESTS);
  return {
    script: ASSETS_PATH + fileOf('src/browser/main.tsx'),
    plan_script: ASSETS_PATH + fileOf('src/browser/subscribe.ts'),
    style: styleOf('src/style.css'),
    scripts,
  };
}
