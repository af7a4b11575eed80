import { freezeWallet, openLedger, walletAt } from '@tender/signer-features';
import { openShare, recoveredShare, type KeyShare, type Roster } from '@tender/threshold';
import { openKeks } from '../files/kek-source';
import { databasePasswordIn } from '../files/signer-files';
import { jsonLog } from '../log';
import { readKept } from '../settings/read-settings';
import { SettingsFault, type Env } from '../settings/settings-fault';
import { openPool } from '../start-signer';
import { offlineKeyIn } from './offline-key';

const REASON = 'its share is used for a disaster';

/**
 * The one share that this process holds: R with the offline key, or that of the signer of this folder. `to_sign`: the
 * signer is to sign for the wallet by this share alone, and so freezes it in its ledger first.
 */
export async function ownShare(env: Env, roster: Roster, to_sign: boolean): Promise<KeyShare> {
  const path = env['RECOVERY_KEY_FILE'];
  if (!path) return shareOfSigner(env, roster.wallet, to_sign);
  if (env['SIGNER_ROLE']) {
    throw new SettingsFault('RECOVERY_KEY_FILE and SIGNER_ROLE are both set: no machine has two shares of a wallet.');
  }
  return recoveredShare(offlineKeyIn(path), roster);
}

async function shareOfSigner(env: Env, wallet: string, to_sign: boolean): Promise<KeyShare> {
  const { role, dir, database_url, kek_fd } = readKept(env);
  const [password, keks] = [databasePasswordIn(dir), openKeks(dir, kek_fd)];
  const ledger = openPool(database_url, password, jsonLog(role, 'warn'));
  try {
    const kek = await openLedger(ledger, role, ...keks);
    const held = await walletAt(ledger, wallet);
    if (held === null) throw new SettingsFault(`this signer holds no share of ${wallet}.`);
    const { sealed_share, roster } = held;
    const share = await openShare(sealed_share, kek, { wallet, role, epoch: roster.epoch });
    if (to_sign) await freezeWallet(ledger, wallet, { reason: REASON, now_ms: Date.now() });
    return share;
  } finally {
    await ledger.end();
  }
}
