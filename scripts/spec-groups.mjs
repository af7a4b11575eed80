// Specs that are played together, as one test file of jest. Jest loads every module anew for each file, and for most
// specs that takes longer than their tests do: neighbours stand on the same modules.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { root } from './terminal.mjs';

/** Where jest looks without groups. */
const { testMatch } = createRequire(import.meta.url)('../jest.config.cjs');

/** How many make one file, by kind: few enough that no worker is left with much when the others are done. */
const SIZES = { unit: 24, slice: 8 };
const FOLDER = join(root, '.nx', 'spec-groups');

/**
 * Writes the groups of these test files, as `readTestFile` describes them. Answers
 * `{ args, paths, slices, split, remove }`: with which arguments jest finds them, what it is to play, which of that are
 * groups of slices, how to read what it found of each spec, and how to remove what was written.
 */
export function groupSpecs(files) {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, 'run-'));
  const groups = new Map();
  for (const [kind, size] of Object.entries(SIZES)) {
    const specs = files.filter((file) => file.kind === kind && !file.is_long).map(({ path }) => path);
    for (const [project, its] of byProject(specs)) {
      for (let at = 0; at < its.length; at += size) {
        const path = join(folder, `${project}.${at}.${kind}.spec.js`);
        const together = its.slice(at, at + size);
        writeFileSync(path, together.map(describeSpec).join(''));
        groups.set(relative(root, path), together);
      }
    }
  }
  const grouped = new Set([...groups.values()].flat());
  const alone = files.map(({ path }) => path).filter((path) => !grouped.has(path));
  const absolute = (paths) => paths.map((path) => join(root, path));
  const paths = [...groups.keys()];
  return {
    args: [...testMatch, `<rootDir>/${relative(root, folder)}/*.spec.js`].flatMap((pattern) => ['--testMatch', pattern]),
    paths: absolute([...alone, ...paths]),
    slices: absolute(paths.filter((path) => path.endsWith('.slice.spec.js'))),
    split: (found) => found.flatMap((file) => (groups.has(file.path) ? specsIn(file) : [file])),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** `libs/payments` and the like: a new spec moves the groups of its own project alone. */
function byProject(paths) {
  const projects = new Map();
  for (const path of [...paths].sort()) {
    const name = path.split('/').slice(0, 2).join('-');
    projects.set(name, [...(projects.get(name) ?? []), path]);
  }
  return projects;
}

/** What `groupSpecs` answers where each file is played by itself. */
export const eachAlone = (files) => ({
  ...{ args: [], slices: [], paths: files.map(({ path }) => join(root, path)) },
  ...{ split: (found) => found, remove: () => undefined },
});

/** Its hooks are its own; one that cannot be loaded fails alone, and no fake time outlives it. */
function describeSpec(path) {
  const [title, file] = [path, join(root, path)].map((text) => JSON.stringify(text));
  return `describe(${title}, () => {
  afterAll(() => jest.useRealTimers());
  try {
    require(${file});
  } catch (error) {
    test('loads', () => {
      throw error;
    });
  }
});
`;
}

/** Their times are those of their tests, without their hooks. */
function specsIn({ assertions }) {
  const found = new Map();
  for (const { ancestorTitles, duration } of assertions) {
    const [path] = ancestorTitles;
    const { seconds, tests } = found.get(path) ?? { seconds: 0, tests: 0 };
    found.set(path, { path, seconds: seconds + (duration ?? 0) / 1000, tests: tests + 1 });
  }
  return [...found.values()];
}
