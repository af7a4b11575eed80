import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { invariant } from '@tender/kernel';

const LIBRARIES = path.resolve(__dirname, '../../../../libs');
const COMPILED = /(^|\/)dist\/.*\.js$/;

/**
 * Tells this program from other releases of it: the compiled libraries, whose code folds events into rows. Some change
 * nothing of a projection; then a table is built once more than it had to be, and never kept where it should not be.
 */
export function hashOfLibraries(folder = LIBRARIES): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => COMPILED.test(file) && !file.includes('node_modules/'))
    .sort();
  invariant(files.length > 0, `${folder} holds the compiled libraries of this program`);
  const hash = createHash('sha256');
  for (const file of files) {
    const text = readFileSync(path.join(folder, file));
    hash.update(`${file} ${text.length}\n`).update(text);
  }
  return hash.digest('hex');
}
