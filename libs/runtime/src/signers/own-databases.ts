import { readRequired, readUrl, SettingsFault, type Env } from '@tender/eventing';
import { readRpcUrls } from '../settings/rpc-settings';

const NAMES = { A: 'SIGNER_A_DATABASE_URL', B: 'SIGNER_B_DATABASE_URL' } as const;

/** The ledgers that the operator has made, by signer; null where none is named. Throws `SettingsFault`. */
export function readOwnDatabases(env: Env): Readonly<Record<'A' | 'B', string>> | null {
  const names = Object.values(NAMES);
  if (names.every((name) => !env[name])) return null;
  for (const name of names) {
    readRequired(env, name, 'Each signer has a database of its own, or neither has one.');
    readUrl(env, name, ['postgres:', 'postgresql:']);
  }
  if (env[NAMES.A] === env[NAMES.B]) {
    throw new SettingsFault(`${names.join(' and ')} name one database: each signer has one of its own.`);
  }
  return { A: env[NAMES.A] ?? '', B: env[NAMES.B] ?? '' };
}

/**
 * Why this program starts no signers; null where it does. Money of value is not under keys that lie beside each other,
 * and a signer’s ledger is not in a database that others may open.
 */
export function whyNoSigners(env: Env, database_url: string | null): string | null {
  if (readRpcUrls(env).live.length > 0) {
    return 'live is a chain outside: its signers run elsewhere, and SIGNER_A_URL and SIGNER_B_URL name them';
  }
  if (database_url !== null && readOwnDatabases(env) === null) {
    return `with DATABASE_URL each needs a database of its own: ${NAMES.A} and ${NAMES.B}`;
  }
  return null;
}
