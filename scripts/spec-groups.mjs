// Specs that are played together, as one test file of jest. Jest loads every module anew for each file, and for most
// specs that takes longer than their tests: neighbours stand on the same modules.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './terminal.mjs';

/** How many make one file, by kind: few enough that no worker is left with much when the others are done. */
const SIZES = { unit: 24, slice: 8 };
const FOLDER = join(root, '.nx', 'spec-groups');
/** Of jest's paths, relative to the root of the repository; those of groups are beside it. */
const PATTERNS = ['<rootDir>/apps/scenarios/src/**/*.scenario.ts', '<rootDir>/{libs,apps,tools}/**/src/**/*.spec.ts'];

/**
 * Writes the groups of these test files, as `readTestFile` describes them. Answers `{ args, paths, split, remove }`: what
 * jest needs to find them, what it is to play, and how to read what it found of each spec.
 */
export function groupSpecs(files) {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, 'run-'));
  const groups = new Map();
  for (const [kind, size] of Object.entries(SIZES)) {
    const specs = files
      .filter((file) => file.kind === kind && !file.is_long)
      .map(({ path }) => path)
      .sort();
    for (let at = 0; at < specs.length; at += size) {
      const path = join(folder, `${at}.${kind}.spec.js`);
      const together = specs.slice(at, at + size);
      writeFileSync(path, together.map(describeSpec).join(''));
      groups.set(relative(root, path), together);
    }
  }
  const grouped = new Set([...groups.values()].flat());
  const alone = files.map(({ path }) => path).filter((path) => !grouped.has(path));
  return {
    args: [...PATTERNS, `<rootDir>/${relative(root, folder)}/*.spec.js`].flatMap((pattern) => ['--testMatch', pattern]),
    paths: [...alone, ...groups.keys()].map((path) => join(root, path)),
    split: (found) => found.flatMap((file) => (groups.has(file.path) ? specsIn(file) : [file])),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What `groupSpecs` answers where each file is played by itself. */
export const eachAlone = (files) => ({
  ...{ args: [], paths: files.map(({ path }) => join(root, path)) },
  ...{ split: (found) => found, remove: () => undefined },
});

/** Its hooks are its own. */
function describeSpec(path) {
  const [title, file] = [path, join(root, path)].map((text) => JSON.stringify(text));
  return `describe(${title}, () => void require(${file}));\n`;
}

/** Their times are those of their tests alone. */
function specsIn({ assertions }) {
  const found = new Map();
  for (const { ancestorTitles, duration } of assertions) {
    const [path] = ancestorTitles;
    const { seconds, tests } = found.get(path) ?? { seconds: 0, tests: 0 };
    found.set(path, { path, seconds: seconds + (duration ?? 0) / 1000, tests: tests + 1 });
  }
  return [...found.values()];
}
