import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

/** After the files are written: what npm and `npm run contracts` would do, without a registry and without a build. */
export function finish(node: string, env: NodeJS.ProcessEnv): void {
  linkWorkspaces();
  const hook = path.join(ROOT, 'scripts/typescript-hook.cjs');
  const main = path.join(ROOT, 'tools/contracts/src/main.ts');
  const { status } = spawnSync(node, ['--conditions=source', '-r', hook, main], {
    ...{ cwd: ROOT, env, stdio: 'inherit' },
  });
  if (status === 0) return;
  throw new Error('The contracts do not load: run `npm run check`, then `npm run contracts`.');
}

interface Lockfile {
  readonly packages: Readonly<Record<string, Place>>;
}
interface Place {
  readonly resolved?: string;
  readonly link?: boolean;
}

/** A workspace is found by its name where node_modules has a link to it. */
function linkWorkspaces(): void {
  const text = readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as Lockfile;
  for (const [place, { link, resolved }] of Object.entries(packages)) {
    const from = path.join(ROOT, place);
    if (!link || !resolved || existsSync(from)) continue;
    mkdirSync(path.dirname(from), { recursive: true });
    symlinkSync(path.relative(path.dirname(from), path.join(ROOT, resolved)), from);
  }
}
