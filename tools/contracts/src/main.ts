import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contractFiles } from './contract-files';

/** `contracts/` at the root of the repository. */
const FOLDER = path.resolve(__dirname, '../../../contracts');

/** Writes the contract files; with `--check`, only says which ones are stale, and fails when any is. */
function main(): void {
  const stale = [...contractFiles()].filter(([name, text]) => text !== read(name));
  if (!process.argv.includes('--check')) {
    for (const [name, text] of stale) write(name, text);
    console.log(stale.length ? `Wrote ${namesOf(stale)}.` : 'contracts/ is up to date.');
    return;
  }
  if (stale.length === 0) return;
  console.error(`Stale: ${namesOf(stale)}. Run "npm run contracts" and commit what it writes.`);
  process.exitCode = 1;
}

const namesOf = (files: readonly (readonly [name: string, text: string])[]): string =>
  files.map(([name]) => `contracts/${name}`).join(', ');

function read(name: string): string | null {
  try {
    return readFileSync(path.join(FOLDER, name), 'utf8');
  } catch {
    return null;
  }
}

function write(name: string, text: string): void {
  const file = path.join(FOLDER, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

main();
