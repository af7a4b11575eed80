import { closeSync, fstatSync, readSync } from 'node:fs';
import { localKeyEncryption, type KeyEncryption } from '@tender/threshold';
import { SettingsFault } from '../settings/settings-fault';
import { drawnKey, hasKek, kekIn, NEXT_KEK, nextKekIn } from './signer-files';

const KEY_BYTES = 32;

/**
 * The key-encryption key, from the pipe that was inherited or from the signer’s folder. A service that holds the key
 * and wraps by itself (KMS, Vault, HSM) is another `KeyEncryption`.
 */
export function openKek(dir: string, kek_fd: number | null): KeyEncryption {
  if (kek_fd !== null && hasKek(dir)) {
    throw new SettingsFault(
      `KEK_FD brings the key-encryption key, and ${dir} holds one as well: move the file \`kek\` away.`,
    );
  }
  return localKeyEncryption(kek_fd === null ? kekIn(dir) : readPipe('KEK_FD', kek_fd));
}

/** With the one that is to follow it: where a rotation was stopped at its end, the ledger is under that already. */
export function openKeks(
  dir: string,
  kek_fd: number | null,
): readonly [KeyEncryption, ...KeyEncryption[]] {
  const kek = openKek(dir, kek_fd);
  const next = kek_fd === null ? nextKekIn(dir) : null;
  return next ? [kek, localKeyEncryption(next)] : [kek];
}

/** The key that a rotation leads to, from where the old one comes from: a pipe, or the signer’s folder. */
export function openNextKek(dir: string, new_kek_fd: number | null): KeyEncryption {
  if (new_kek_fd !== null) return localKeyEncryption(readPipe('NEW_KEK_FD', new_kek_fd));
  const next = nextKekIn(dir);
  if (next) return localKeyEncryption(next);
  throw new SettingsFault(
    `${dir} has no ${NEXT_KEK}: put the new key there, 32 bytes drawn by lot, mode 0600. After a rotation it is gone.`,
  );
}

/** 32 bytes, then the end: the program that writes them closes its side of the pipe. */
function readPipe(name: string, file: number): Buffer {
  const bytes = Buffer.alloc(KEY_BYTES + 1);
  let length = 0;
  try {
    const found = fstatSync(file);
    if (!found.isFIFO() && !found.isSocket()) throw new SettingsFault(`${name} is no pipe: inherit one.`);
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    closeSync(file);
  } catch (error) {
    if (error instanceof SettingsFault) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsFault(`${name}: descriptor ${file} cannot be read (${code}): inherit a pipe there.`);
  }
  if (length !== KEY_BYTES) {
    const found = length > KEY_BYTES ? 'more than 32' : String(length);
    throw new SettingsFault(`${name} brought ${found} bytes: write 32, and close the pipe.`);
  }
  const kek = Buffer.from(bytes.subarray(0, KEY_BYTES));
  bytes.fill(0);
  return drawnKey(kek, name);
}
