import { readFileSync, statSync } from 'node:fs';
import { SettingsFault } from '@tender/eventing';

/** What others than the owner, and the group that may read it, may do with a file. */
const FOR_OTHERS = 0o037;

/** The text of a file that only its owner may read. Throws `SettingsFault`, which names the setting alone. */
export function readSecretFile(setting: string, file: string): string {
  const mode = modeOf(setting, file);
  if ((mode & FOR_OTHERS) !== 0) {
    throw new SettingsFault(`${setting} names ${file}, which others may read. Set its mode to 600.`);
  }
  return readFileSync(file, 'utf8').trim();
}

function modeOf(setting: string, file: string): number {
  try {
    const stat = statSync(file);
    if (stat.isFile()) return stat.mode;
  } catch {
    // Said below, in words that name the setting.
  }
  throw new SettingsFault(`${setting} names ${file}, which is no file that can be read.`);
}
