import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface Text {
  /** Relative to the folder, as it is now or was then. */
  readonly path: string;
  /** The commit that wrote it; without one it is in the folder now. */
  readonly commit?: string;
  readonly text: string;
}

/** Where there is no git, as in an archive of the sources: what others have made, and what holds secrets by design. */
const NOT_OURS = new Set(['.git', '.nx', '.data', '.env', 'node_modules', 'dist', 'coverage', 'target']);
const BLOBS_AT_ONCE = 500;
const OUTPUT_BYTES_MAX = 2 ** 30;

/** What would be committed from the folder: the files that git knows or does not ignore, as they are now. */
export function* textsOfFolder(folder: string): Generator<Text> {
  for (const file of gitFiles(folder) ?? filesBelow(folder)) {
    const whole = path.join(folder, file);
    if (!statSync(whole, { throwIfNoEntry: false })?.isFile()) continue;
    yield* textOf({ path: file }, readFileSync(whole));
  }
}

/** True where every commit can be read, so that what is not found in them is nowhere. */
export const hasWholeHistory = (folder: string): boolean =>
  git(folder, ['rev-parse', '--is-shallow-repository'])?.toString().trim() === 'false' &&
  git(folder, ['rev-parse', '--verify', 'HEAD']) !== null;

/** Every version of every file that the history of HEAD has, each once, and the messages of its commits. */
export function* textsOfHistory(folder: string): Generator<Text> {
  const versions = [...versionsOf(folder)];
  for (let at = 0; at < versions.length; at += BLOBS_AT_ONCE) {
    const some = versions.slice(at, at + BLOBS_AT_ONCE);
    const blobs = blobsOf(folder, some.map(({ blob }) => blob));
    for (const { blob, ...place } of some) yield* textOf(place, blobs.get(blob) ?? missing(blob));
  }
  const messages = git(folder, ['log', '--format=%H%x00%B%x00'])?.toString().split('\0') ?? [];
  for (let at = 0; at + 1 < messages.length; at += 2) {
    yield { path: 'message', commit: messages[at]?.trim(), text: messages[at + 1] as string };
  }
}

interface Version {
  readonly path: string;
  readonly commit: string;
  readonly blob: string;
}

/** Newest first; of a merge what each of its parents had not. */
function versionsOf(folder: string): Iterable<Version> {
  const flags = ['--raw', '-m', '--root', '--no-renames', '--no-abbrev', '--diff-filter=AM', '--format=commit %H'];
  const lines = git(folder, ['-c', 'core.quotePath=false', 'log', ...flags])?.toString().split('\n') ?? [];
  const versions = new Map<string, Version>();
  let commit = '';
  for (const line of lines) {
    if (line.startsWith('commit ')) commit = line.slice('commit '.length);
    const found = /^:\d+ 100\d+ [0-9a-f]+ ([0-9a-f]+) [AM]\t(.*)$/.exec(line);
    if (found) versions.set(found.slice(1).join(' '), { commit, blob: found[1] as string, path: found[2] as string });
  }
  return versions.values();
}

/** `<name> blob <bytes>`, a line, the bytes and a line, for each that was asked for. */
function blobsOf(folder: string, names: readonly string[]): ReadonlyMap<string, Buffer> {
  const said = git(folder, ['cat-file', '--batch'], names.join('\n')) ?? Buffer.alloc(0);
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < said.length; ) {
    const end = said.indexOf('\n', at);
    const [name = '', , bytes] = said.toString('utf8', at, end).split(' ');
    blobs.set(name, said.subarray(end + 1, end + 1 + Number(bytes)));
    at = end + 1 + Number(bytes) + 1;
  }
  return blobs;
}

function missing(blob: string): never {
  throw new Error(`git does not have ${blob}, which its history names.`);
}

function gitFiles(folder: string): readonly string[] | null {
  const listed = git(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return listed && listed.toString().split('\0').filter(Boolean);
}

function* filesBelow(folder: string, below = ''): Generator<string> {
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const place = path.posix.join(below, entry.name);
    if (NOT_OURS.has(entry.name)) continue;
    if (entry.isDirectory()) yield* filesBelow(folder, place);
    else yield place;
  }
}

/** Nothing where there is no repository, or no git. */
function git(folder: string, args: readonly string[], input?: string): Buffer | null {
  const { status, stdout } = spawnSync('git', ['-C', folder, ...args], { input, maxBuffer: OUTPUT_BYTES_MAX });
  return status === 0 ? stdout : null;
}

function* textOf(place: Omit<Text, 'text'>, bytes: Buffer): Generator<Text> {
  if (!bytes.includes(0)) yield { ...place, text: bytes.toString('utf8') };
}
