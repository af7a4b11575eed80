import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Small secret files: 0600, in a folder that is 0700. A key is written once. */
export interface KeyFiles {
  read(name: string): string | null;
  /** Stores `text` unless another process was faster; answers what is stored. Survives a loss of power. */
  keepFirst(name: string, text: string): string;
  /** Adds a line to a file. Two processes may do so at once; a line that is torn by a crash spoils no other. */
  append(name: string, line: string): void;
  /** Overwrites the file with zeros, then removes it. */
  destroy(name: string): void;
  names(): readonly string[];
}

export function keyFiles(dir: string): KeyFiles {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);

  const read = (name: string): string | null => {
    try {
      return readFileSync(join(dir, name), 'utf8').trim();
    } catch (error) {
      if (isCode(error, 'ENOENT')) return null;
      throw error;
    }
  };

  return {
    read,
    keepFirst(name, text) {
      const draft = join(dir, `.${name}.${randomUUID()}`);
      writeDurably(draft, 'wx', Buffer.from(`${text}\n`, 'utf8'));
      try {
        // A link, unlike a rename, fails when the name is taken: two processes agree on one key.
        linkSync(draft, join(dir, name));
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      } finally {
        rmSync(draft);
      }
      syncFolder(dir);
      return read(name) as string;
    },
    append(name, line) {
      writeDurably(join(dir, name), 'a', Buffer.from(`\n${line}\n`, 'utf8'));
      syncFolder(dir);
    },
    destroy(name) {
      const path = join(dir, name);
      const length = readFileSync(path).length;
      writeDurably(path, 'r+', Buffer.alloc(length));
      rmSync(path);
      syncFolder(dir);
    },
    names: () => readdirSync(dir).filter((name) => !name.startsWith('.')),
  };
}

/** 32 bytes that nobody can guess. */
export const newKey = (): Buffer => randomBytes(32);

function writeDurably(path: string, flags: 'wx' | 'r+' | 'a', bytes: Buffer): void {
  const file = openSync(path, flags, 0o600);
  try {
    writeSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

const isCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === code;
