import { basename, dirname } from 'node:path';
import { base64 } from '@tender/transactions';
import { newRecoveryKey, recoveryPairOf, type SealKeyPair } from '@tender/threshold';
import { readSecretFile, secretFile } from '../files/secret-file';
import { SettingsFault } from '../settings/settings-fault';

/** What `RECOVERY_PUBLIC_KEY` and `RECOVERY_KEY` name. Makes the pair where the file is not there. */
export function madeOfflineKey(path: string): string {
  const fresh = (): Buffer => Buffer.from(`${JSON.stringify(newRecoveryKey())}\n`);
  secretFile(dirname(path), basename(path), fresh);
  return base64(offlineKeyIn(path).public_key);
}

/** The pair in a file that its owner alone can read, or in a pipe, such as `/dev/fd/3`. */
export function offlineKeyIn(path: string): SealKeyPair {
  const bytes = readSecretFile(dirname(path), basename(path));
  if (bytes === null) throw new SettingsFault(`RECOVERY_KEY_FILE: there is no ${path}.`);
  const pair = pairOf(bytes.toString('utf8'));
  bytes.fill(0);
  if (pair) return pair;
  throw new SettingsFault(`${path} holds no offline key: it takes {"public_key", "secret_key"}, as it was made.`);
}

function pairOf(text: string): SealKeyPair | null {
  try {
    const { public_key, secret_key } = JSON.parse(text) as Readonly<Record<string, string>>;
    const pair = recoveryPairOf(secret_key ?? '');
    return pair && base64(pair.public_key) === public_key ? pair : null;
  } catch {
    return null;
  }
}
