import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HostedRole } from '@tender/threshold';
import type { ProgramFile } from './signer-program';

export const ROOT = join(__dirname, '../../../..');

/** The program of a signer in a tree of built packages: that of this repository, or one with a guard less. */
export function programIn(tree: string = ROOT): ProgramFile {
  const app = join(tree, 'apps', 'signer');
  const { tender } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as {
    readonly tender: { readonly nodeFlags: readonly string[] };
  };
  return { main: join(app, 'dist', 'main.js'), flags: tender.nodeFlags };
}

/** A signer as others know it, with its folder. */
export interface Prepared {
  readonly dir: string;
  readonly identity_key: string;
  readonly database_verifier: string;
}

/** The program itself makes what is secret. */
export async function prepared(parent: string, role: HostedRole): Promise<Prepared> {
  const dir = join(parent, role.toLowerCase());
  mkdirSync(dir, { mode: 0o700 });
  const env = { PATH: process.env['PATH'], SIGNER_ROLE: role, SIGNER_DIR: dir };
  const args = [programIn().main, 'identity'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return { dir, ...(JSON.parse(stdout) as Omit<Prepared, 'dir'>) };
}

/** What opens a signer’s ledger: an attacker who has this is in its machine. */
export const passwordIn = (dir: string): string =>
  readFileSync(join(dir, 'database-password'), 'utf8').trim();
