import { readFileSync } from 'node:fs';
import path from 'node:path';

const IMPORT = /^@import [^;]+;\n/;

/** A page's style as its build puts it together, without a build: the one of all pages, then its own. */
export function sourceStyle(file: string): string {
  const base = readFileSync(path.join(__dirname, '..', 'base.css'), 'utf8');
  return base + readFileSync(file, 'utf8').replace(IMPORT, '');
}
