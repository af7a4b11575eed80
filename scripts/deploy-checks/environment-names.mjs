// Which settings a program reads: the names that stand in its sources and in those of what it is built on.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressSetting, SERVICES } from '../catalogue.mjs';
import { root } from '../terminal.mjs';

/** Read by Node itself or by the scripts that start a program. */
const OF_THE_MACHINE = ['NODE_ENV', 'NODE_OPTIONS', 'TZ'];

/** Every service reads where the others are. */
const ADDRESSES = SERVICES.map(addressSetting);

/** Those of `names` that no source of `project` (a folder) mentions as a whole word. */
export function unreadNames(project, names) {
  const text = sourcesOf(project).map((path) => readFileSync(path, 'utf8')).join('\n');
  const known = new Set([...OF_THE_MACHINE, ...ADDRESSES]);
  return names.filter(
    (name) => !known.has(name) && !new RegExp(`(?:['"\`.])${name}\\b`).test(text),
  );
}

function sourcesOf(project) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const folderOf = (name) => packages[`node_modules/${name}`]?.resolved;
  const folders = new Set();
  const add = (folder) => {
    if (!folder || folders.has(folder)) return;
    folders.add(folder);
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) if (name.startsWith('@tender/')) add(folderOf(name));
  };
  add(project);
  return [...folders].flatMap((folder) => filesOf(join(root, folder, 'src')));
}

function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : filesOf(path);
    return entry.name.endsWith('.ts') && !/\.(?:spec|scenario)\.ts$/.test(entry.name) ? [path] : [];
  });
}
