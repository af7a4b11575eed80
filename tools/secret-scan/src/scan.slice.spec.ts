/** @needs git */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { apiKeyOf } from '@tender/contracts';
import { findSecrets } from './find-secrets';
import { scan } from './scan';

const KEY = apiKeyOf('live', new Uint8Array(32).fill(7));
const OTHER = apiKeyOf('test', new Uint8Array(32).fill(9));

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'tender-secrets-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@a.example', ...args], { stdio: 'pipe' });

function commit(message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--no-gpg-sign', '--allow-empty', '--message', message);
}

const allowed = async (file: string, secret: string) => {
  const [finding] = await findSecrets(file, secret);
  return { path: file, fingerprint: finding?.fingerprint as string, why: 'made for this spec' };
};

const foundIn = async (...args: Parameters<typeof scan>) => (await scan(...args)).found.map((line) => line.split(' ')[0]);

describe('a folder', () => {
  it('is looked through without git, but for what is not ours', async () => {
    write('src/deep/a.ts', `\n ${KEY}`);
    write('node_modules/a/index.js', KEY);
    write('.env', KEY);
    write('image.png', `\0${KEY}`);
    expect(await foundIn(folder, [], true)).toEqual(['src/deep/a.ts:2:2']);
  });

  it('is looked through as git would commit it', async () => {
    git('init', '--quiet');
    write('.gitignore', '.env\n');
    write('.env', KEY);
    write('committed.ts', KEY);
    commit('one');
    write('new.ts', KEY);
    expect((await foundIn(folder, [], false)).sort()).toEqual(['committed.ts:1:1', 'new.ts:1:1']);
  });

  it('may have what is allowed, and nothing else of that form, and not elsewhere', async () => {
    write('a.ts', `${KEY}\n${OTHER}`);
    write('b.ts', KEY);
    expect(await foundIn(folder, [await allowed('a.ts', KEY)], false)).toEqual(['a.ts:2:1', 'b.ts:1:1']);
  });
});

describe('a history', () => {
  beforeEach(() => git('init', '--quiet'));

  it('is looked through: a file that is gone, a line that is gone, a message', async () => {
    write('gone.ts', KEY);
    write('mended.ts', OTHER);
    commit('one');
    rmSync(path.join(folder, 'gone.ts'));
    write('mended.ts', 'nothing');
    commit(`two, with ${KEY}`);
    expect(await foundIn(folder, [], false)).toEqual([]);
    const { found } = await scan(folder, [], true);
    const one = git('rev-parse', 'HEAD~1').toString().slice(0, 12);
    const two = git('rev-parse', 'HEAD').toString().slice(0, 12);
    const places = found.map((line) => line.split(' ', 3).join(' '));
    expect(places.sort()).toEqual(
      [`commit ${one}, gone.ts:1:1`, `commit ${one}, mended.ts:1:1`, `commit ${two}, message:1:11`].sort(),
    );
    expect(found.join()).not.toContain(KEY);
  });

  it('is looked through on the side of a merge, and in what a merge itself writes', async () => {
    commit('root');
    git('switch', '--quiet', '--create', 'side');
    write('side.ts', KEY);
    commit('side');
    rmSync(path.join(folder, 'side.ts'));
    commit('without');
    git('switch', '--quiet', '-');
    write('other.ts', 'nothing');
    commit('other');
    git('merge', '--quiet', '--no-commit', '--no-ff', 'side');
    write('merged.ts', OTHER);
    commit('merge');
    rmSync(path.join(folder, 'merged.ts'));
    commit('without');
    const { found } = await scan(folder, [], true);
    const files = found.map((line) => line.split(' ')[2]);
    expect(files.sort()).toEqual(['merged.ts:1:1', 'side.ts:1:1']);
  });

  it('allows a text that was committed under another path, and names what allows nothing', async () => {
    write('old/a.ts', KEY);
    commit('one');
    git('mv', 'old', 'new');
    commit('two');
    const here = await allowed('new/a.ts', KEY);
    const nowhere = await allowed('new/a.ts', OTHER);
    const entries = [here, nowhere];
    expect(await scan(folder, entries, true)).toMatchObject({ found: [], unused: [nowhere] });
    expect(await scan(folder, entries, false)).toMatchObject({ found: [], unused: [] });
  });
});
