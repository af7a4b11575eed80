import {
  openShare, sealShare, ShareUnopened, type HostedRole, type KeyEncryption, type SealedShare,
} from '@tender/threshold';
import type { Pool } from 'pg';
import { migrate, transaction, type Tx } from './ledger-database';
import { LedgerRefused, refuseOtherRole, sealedUnder } from './open-ledger';
import { checkUnder, isUnder, readSigner } from './signer-row';

/** Shares that are in memory at a time. */
const BATCH = 500;

export interface Rotation {
  readonly role: HostedRole;
  readonly from: KeyEncryption;
  readonly to: KeyEncryption;
}

/**
 * Seals all shares of a ledger under another key-encryption key, as one: before, or after it was stopped in the middle,
 * every one is under the old key, and from its end on every one under the new. Answers how many it has sealed; 0 where
 * the ledger was under the new key before. Throws `LedgerRefused`, with nothing changed.
 *
 * Each share is sealed anew, and its key is not only wrapped anew: the id of the key-encryption key is authenticated
 * with the share (`share-at-rest.ts`), and so every share is proven to open before the old key is given up.
 */
export async function rotateKek(pool: Pool, { role, from, to }: Rotation): Promise<number> {
  if (from.id === to.id) {
    throw new LedgerRefused(`the new key is the one that this signer has, ${from.id}: draw another one by lot.`);
  }
  await migrate(pool);
  const kek_check = await checkUnder(to);
  return transaction(pool, async (tx) => {
    // Its lock keeps new wallets out (`addWallet`); that of each row, signatures.
    const kept = await readSigner(tx, 'for update');
    if (kept === null) {
      throw new LedgerRefused('no signer has served on this ledger yet: start it with the new key, and it is under that.');
    }
    refuseOtherRole(kept, role);
    if (await isUnder(kept, to)) return 0;
    if (!(await isUnder(kept, from))) {
      throw new LedgerRefused(`${sealedUnder(kept)}, and the old key is ${from.id}: give the key that it is under.`);
    }
    const count = await sealAnew(tx, { role, from, to });
    await tx.query('update signer set kek_id = $1, kek_check = $2', [to.id, kek_check]);
    return count;
  });
}

interface Row {
  readonly address: string;
  readonly epoch: number;
  readonly sealed_share: SealedShare;
}

async function sealAnew(tx: Tx, rotation: Rotation): Promise<number> {
  for (let count = 0, after = ''; ; ) {
    const { rows } = await tx.query<Row>(
      `select address, epoch, sealed_share from wallets
       where address > $1 order by address limit $2 for update`,
      [after, BATCH],
    );
    for (const row of rows) {
      await tx.query('update wallets set sealed_share = $2 where address = $1', [
        ...[row.address, JSON.stringify(await sealedAnew(row, rotation))],
      ]);
    }
    count += rows.length;
    if (rows.length < BATCH) return count;
    after = (rows.at(-1) as Row).address;
  }
}

async function sealedAnew(
  { address: wallet, epoch, sealed_share }: Row,
  { role, from, to }: Rotation,
): Promise<SealedShare> {
  try {
    const share = await openShare(sealed_share, from, { wallet, role, epoch });
    try {
      return await sealShare(share, to, { wallet, epoch });
    } finally {
      share.erase();
    }
  } catch (error) {
    if (!(error instanceof ShareUnopened)) throw error;
    throw new LedgerRefused(
      `the share of ${wallet} does not open (${error.message}), so nothing was changed: ` +
        'put its row back from a backup of this ledger, then try again.',
    );
  }
}
