import { rotateKek } from '@tender/signer-features';
import type { HostedRole } from '@tender/threshold';
import { openKek, openNextKek } from './files/kek-source';
import { databasePasswordIn, takeNextKek } from './files/signer-files';
import { jsonLog } from './log';
import { readRotation } from './settings/read-settings';
import type { Env } from './settings/settings-fault';
import { openPool } from './start-signer';

/** It waits for the transactions of a signer that serves. */
const STATEMENT_MS = 60_000;

/** What a rotation has come to. */
export interface Rotated {
  readonly role: HostedRole;
  /** What the whole ledger is sealed under now. */
  readonly kek_id: string;
  /** Shares that were sealed anew; 0: they were under this key before. */
  readonly shares: number;
}

/**
 * Seals the shares of the signer of this folder under a new key-encryption key: from `KEK_FD` to `NEW_KEK_FD`, or from
 * the file `kek` to `kek.next`. Stopped anywhere, it is begun again with the same keys. The signer may serve meanwhile.
 */
export async function rotateKekOf(env: Env): Promise<Rotated> {
  const { role, dir, database_url, kek_fd, new_kek_fd } = readRotation(env);
  const password = databasePasswordIn(dir);
  const [from, to] = [openKek(dir, kek_fd), openNextKek(dir, new_kek_fd)];
  const ledger = openPool(database_url, password, jsonLog(role, 'warn'), STATEMENT_MS);
  try {
    const shares = await rotateKek(ledger, { role, from, to });
    if (new_kek_fd === null) takeNextKek(dir, from.id);
    return { role, kek_id: to.id, shares };
  } finally {
    await ledger.end();
  }
}
