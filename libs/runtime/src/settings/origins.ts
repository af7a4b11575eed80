import { readUrl, SettingsFault, type Env } from '@tender/eventing';

/** Where clients reach the gateway, without a slash at the end. Throws `SettingsFault` where it is not set. */
export const readPublicUrl = (env: Env): string =>
  readOrigin(env, 'PUBLIC_URL', 'clients reach the gateway');

/** The same of any setting. `what`: ends the sentence "It names where". */
export function readOrigin(env: Env, name: string, what: string): string {
  const url = readUrl(env, name);
  if (url !== null) return url.replace(/\/$/, '');
  throw new SettingsFault(`${name} is not set. It names where ${what}.`);
}
