import { readFileSync } from 'node:fs';
import { rosterFault, type Roster, type SignedRoster } from '@tender/threshold';
import { SettingsFault } from '../settings/settings-fault';

/**
 * The roster in a file: the answer of `GET /merchants/me/wallet`, or what stands there as `roster`. Throws
 * `SettingsFault` where it is none, or one that its parties have not signed.
 */
export function rosterIn(path: string): Roster {
  const found = jsonIn(path) as { readonly roster?: unknown; readonly signatures?: unknown } | null;
  const signed = (found?.signatures ? found : found?.roster) as SignedRoster;
  const fault = rosterFault(signed);
  if (fault !== null) {
    throw new SettingsFault(`${path} is no roster (${fault}): it takes what GET /merchants/me/wallet answers.`);
  }
  return signed.roster;
}

export const textIn = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsFault(`${path} cannot be read (${code}).`);
  }
};

function jsonIn(path: string): unknown {
  const text = textIn(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingsFault(`${path} is no JSON: it takes what GET /merchants/me/wallet answers.`);
  }
}
