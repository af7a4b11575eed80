import { randomBytes } from 'node:crypto';
import { linkSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, type Identity } from '@tender/threshold';
import { SettingsFault } from '../settings/settings-fault';
import { checkFolder, readSecretFile, secretFile } from './secret-file';

const KEY_BYTES = 32;
export const NEXT_KEK = 'kek.next';

/** The identity of the signer in this folder; made at the first time. */
export function identityIn(dir: string): Identity {
  checkFolder(dir);
  const seed = drawnKey(secretFile(dir, 'identity', () => randomBytes(KEY_BYTES)), `${dir}/identity`);
  const identity = identityOf(seed);
  seed.fill(0);
  return identity;
}

/** The password of the signer’s ledger; made at the first time. Text that needs no escapes. */
export function databasePasswordIn(dir: string): string {
  checkFolder(dir);
  const fresh = () => Buffer.from(randomBytes(KEY_BYTES).toString('base64url'));
  return secretFile(dir, 'database-password', fresh).toString('utf8').trim();
}

/** The key-encryption key of this folder; made at the first time. */
export function kekIn(dir: string): Buffer {
  checkFolder(dir);
  return drawnKey(secretFile(dir, 'kek', () => randomBytes(KEY_BYTES)), `${dir}/kek`);
}

/** The key that is to follow it; null where the folder has none. */
export function nextKekIn(dir: string): Buffer | null {
  const found = readSecretFile(dir, NEXT_KEK);
  return found && drawnKey(found, `${dir}/${NEXT_KEK}`);
}

/**
 * Makes the next key the key of this folder, as one. The one before stays, by its id: ledgers in backups are under it.
 */
export function takeNextKek(dir: string, id_before: string): void {
  const kek = join(dir, 'kek');
  try {
    linkSync(kek, join(dir, `kek.${id_before}`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  renameSync(join(dir, NEXT_KEK), kek);
}

/** Whether the folder has a key-encryption key, which must not lie beside one that comes from elsewhere. */
export const hasKek = (dir: string): boolean => readSecretFile(dir, 'kek') !== null;

/** Of 32 bytes that are drawn by lot some 30 differ; fewer than 16 do once in 10^16 draws. */
const DIFFERENT_BYTES_MIN = 16;

/** The bytes; throws where they are zeros, a repeated letter or other such things that stand in examples. */
export function drawnKey(bytes: Buffer, from: string): Buffer {
  const is_drawn = new Set(bytes).size >= DIFFERENT_BYTES_MIN;
  if (bytes.length === KEY_BYTES && is_drawn) return bytes;
  throw new SettingsFault(`${from} is no key: it takes ${KEY_BYTES} bytes that were drawn by lot.`);
}
