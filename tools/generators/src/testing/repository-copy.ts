import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');
const SCOPE = '@tender';
const OF_THE_RUN = /^(?:TENDER|TEST|JEST|NODE)_/;
const QUIET = {
  ...{ NX_DAEMON: 'false', NX_TUI: 'false', FORCE_COLOR: '0' },
  npm_config_offline: 'true',
};
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** Only ends what hangs. */
export const END_MS = 1_800_000;
/** They end with the test, however it ends. */
const FOLLOW_PARENT = path.join(ROOT, 'scripts/follow-parent.cjs');

/**
 * The files of this repository in a folder of their own, where generators may do what they like. Packages are those
 * of this one, but for its workspaces: `node_modules/@tender/*` leads into the copy.
 */
export class RepositoryCopy {
  private constructor(readonly root: string) {}

  static make(): RepositoryCopy {
    const folder = mkdtempSync(path.join(tmpdir(), 'tender-generated-'));
    const copy = new RepositoryCopy(realpathSync(folder));
    for (const file of filesHere()) {
      mkdirSync(path.dirname(copy.at(file)), { recursive: true });
      cpSync(path.join(ROOT, file), copy.at(file));
    }
    copy.linkPackages();
    return copy;
  }

  at(...names: readonly string[]): string {
    return path.join(this.root, ...names);
  }

  /** Runs a program on the Node that runs this, in the copy. Throws what it has said when it ends badly. */
  node(...args: readonly string[]): string {
    const all = ['-r', FOLLOW_PARENT, ...args];
    const { status, signal, stdout, stderr } = run(process.execPath, all, this.root);
    if (status === 0) return stdout + stderr;
    throw new Error(`${args.join(' ')} ended with ${signal ?? status}:\n${stdout}${stderr}`);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  private linkPackages(): void {
    const from = path.join(ROOT, 'node_modules');
    mkdirSync(this.at('node_modules', SCOPE), { recursive: true });
    for (const name of readdirSync(from).filter((one) => one !== SCOPE && one !== '.installed')) {
      symlinkSync(path.join(from, name), this.at('node_modules', name));
    }
    for (const name of readdirSync(path.join(from, SCOPE))) {
      const workspace = path.relative(ROOT, realpathSync(path.join(from, SCOPE, name)));
      symlinkSync(this.at(workspace), this.at('node_modules', SCOPE, name));
    }
  }
}

/** What git knows of, or would be told of: what is being written is tested before it is committed. */
function filesHere(): string[] {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout, stderr, status } = run('git', listing, ROOT);
  if (status !== 0) throw new Error(`git does not list the files: ${stderr}`);
  return stdout.split('\0').filter((name) => name && existsSync(path.join(ROOT, name)));
}

/** Tests in here are no workers of another run, and no program of it asks a registry. */
function run(program: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const around = Object.entries(process.env).filter(([name]) => !OF_THE_RUN.test(name));
  const outcome = spawnSync(program, args, {
    ...{ cwd, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX, timeout: END_MS },
    env: { ...Object.fromEntries(around), ...QUIET },
  });
  if (outcome.error && outcome.status === null && outcome.signal === null) throw outcome.error;
  return outcome;
}
