import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The one sample of a page in that language: what is tested is what is read. */
export function sampleOf(page: string, language: string): string {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```(\S+)\n(.*?)^```$/gms);
  const found = [...blocks].filter(([, name]) => name === language);
  expect(found).toHaveLength(1);
  return found[0]?.[2] as string;
}

/** Runs a program in a folder of its own with these files, and answers what it wrote. */
export function runIn(
  files: Readonly<Record<string, string | Buffer>>,
  [program, ...args]: readonly [string, ...string[]],
  input = '',
  env: Readonly<Record<string, string>> = {},
): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tender-sample-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), content);
    }
    const options = { cwd: folder, input, encoding: 'utf8', env: { ...process.env, ...env } } as const;
    return execFileSync(program, args, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
