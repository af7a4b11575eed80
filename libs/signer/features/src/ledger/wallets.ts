import { CeremonyFault, type Roster, type SealedShare } from '@tender/threshold';
import type { Pool } from 'pg';
import { transaction, type Tx } from './ledger-database';
import { note } from './journal';

/** A wallet that this signer holds a share of. */
export interface HeldWallet {
  readonly roster: Roster;
  readonly sealed_share: SealedShare;
  readonly frozen: boolean;
  /** USD cents that may leave it in 24 hours, as its merchant has set it; null: as this signer is set. */
  readonly day_limit_cents: number | null;
}

/** Exact up to 2^53, which a limit never reaches. */
const HELD = `roster, sealed_share, frozen_ms is not null as frozen,
  day_limit_cents::double precision as day_limit_cents`;

/** Of a merchant and mode: one that was used, or that does not settle to `$3`. */
const OTHER_WALLET = `select address from wallets where merchant_id = $1 and mode = $2
  and (roster->>'settlement_wallet' is distinct from $3
    or exists (select from operations where wallet = address)) limit 1`;

/** The ledger was sealed under another key-encryption key while this process served. */
export class KekReplaced extends Error {
  override readonly name = 'KekReplaced';
}

/**
 * Keeps a wallet that a ceremony has made. An address is never given another share. Throws `KekReplaced` where the
 * share is sealed under another key than the ledger: no key would open both. Throws `CeremonyFault` where the merchant
 * has another wallet, which a ceremony that was not heard to its end may have left: money in that one must not be
 * joined by money that goes elsewhere.
 */
export const addWallet = (
  pool: Pool,
  { roster, sealed_share, now_ms }: Pick<HeldWallet, 'roster' | 'sealed_share'> & { readonly now_ms: number },
): Promise<void> =>
  transaction(pool, async (tx) => {
    const { wallet, merchant_id, mode, epoch, settlement_wallet } = roster;
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${merchant_id} ${mode}`]);
    const others = await tx.query(OTHER_WALLET, [merchant_id, mode, settlement_wallet]);
    if (others.rows.length > 0) throw new CeremonyFault('dkg_wallet_exists', null);
    const { rowCount } = await tx.query(
      `insert into wallets (address, merchant_id, mode, epoch, roster, sealed_share)
       select $1, $2, $3, $4, $5, $6 from signer where kek_id = $7 for share`,
      [
        ...[wallet, merchant_id, mode, epoch, JSON.stringify(roster), JSON.stringify(sealed_share)],
        sealed_share.kek_id,
      ],
    );
    if (rowCount === 0) throw new KekReplaced();
    await note(tx, { at_ms: now_ms, what: 'opened', wallet });
  });

export const walletAt = (pool: Pool, address: string): Promise<HeldWallet | null> =>
  readWallet(pool, address, '');

/** With its row’s lock, which orders everything that changes what the wallet may still do. */
export const lockWallet = (tx: Tx, address: string): Promise<HeldWallet | null> =>
  readWallet(tx, address, 'for update');

/** With the locks of its row and of one operation of it, in this order; null where it has no such operation. */
export async function lockWithOperation(
  tx: Tx,
  address: string,
  operation_id: string,
): Promise<HeldWallet | null> {
  const { rows } = await tx.query<HeldWallet>({
    name: 'lock_with_operation',
    text: `select ${HELD} from wallets join operations on wallet = address
     where address = $1 and id = $2 for update`,
    values: [address, operation_id],
  });
  return rows[0] ?? null;
}

async function readWallet(
  from: Pool | Tx,
  address: string,
  lock: '' | 'for update',
): Promise<HeldWallet | null> {
  const { rows } = await from.query<HeldWallet>({
    name: lock === '' ? 'wallet_at' : 'lock_wallet',
    text: `select ${HELD} from wallets where address = $1 ${lock}`,
    values: [address],
  });
  return rows[0] ?? null;
}

/** False where there is no such wallet. What is frozen stays so, for its first reason. */
export const freezeWallet = (
  pool: Pool,
  wallet: string,
  { reason, now_ms }: { readonly reason: string; readonly now_ms: number },
): Promise<boolean> =>
  transaction(pool, async (tx) => {
    const held = await lockWallet(tx, wallet);
    if (held === null || held.frozen) return held !== null;
    await tx.query('update wallets set frozen_ms = $2, frozen_reason = $3 where address = $1', [
      ...[wallet, now_ms, reason],
    ]);
    await note(tx, { at_ms: now_ms, what: 'frozen', wallet });
    return true;
  });

/** Under the lock of the wallet, which was frozen. */
export async function unfreezeWallet(tx: Tx, wallet: string, now_ms: number): Promise<void> {
  await tx.query('update wallets set frozen_ms = null, frozen_reason = null where address = $1', [
    wallet,
  ]);
  await note(tx, { at_ms: now_ms, what: 'thawed', wallet });
}

/** Under the lock of the wallet. */
export async function limitWallet(
  tx: Tx,
  wallet: string,
  day_limit_cents: number,
  now_ms: number,
): Promise<void> {
  await tx.query('update wallets set day_limit_cents = $2 where address = $1', [wallet, day_limit_cents]);
  await note(tx, { at_ms: now_ms, what: 'limited', wallet });
}
