import type { PinnedPasskey } from '@tender/signer-domain';
import { notePasskey } from './journal';
import type { Tx } from './ledger-database';

export interface KeptPasskey extends PinnedPasskey {
  readonly credential_id: string;
  readonly merchant_id: string;
}

/** Orders all that changes which passkeys of a merchant are known. */
export const lockPasskeys = async (tx: Tx, merchant_id: string): Promise<void> => {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [merchant_id]);
};

const KEPT = 'credential_id, merchant_id, public_key, counter::double precision as counter';

/** Whosever it is; with its row’s lock. */
export async function passkeyOf(tx: Tx, credential_id: string): Promise<KeptPasskey | null> {
  const { rows } = await tx.query<KeptPasskey>(
    `select ${KEPT} from passkeys where credential_id = $1 for update`,
    [credential_id],
  );
  return rows[0] ?? null;
}

export async function countPasskeys(tx: Tx, merchant_id: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::integer as count from passkeys where merchant_id = $1',
    [merchant_id],
  );
  return (rows[0] as { count: number }).count;
}

export async function addPasskey(
  tx: Tx,
  { credential_id, merchant_id, public_key }: Omit<KeptPasskey, 'counter'>,
  now_ms: number,
): Promise<void> {
  await tx.query(
    'insert into passkeys (credential_id, merchant_id, public_key, pinned_ms) values ($1, $2, $3, $4)',
    [credential_id, merchant_id, public_key, now_ms],
  );
  await notePasskey(tx, { at_ms: now_ms, what: 'pinned', merchant_id, credential_id });
}

export async function removePasskey(
  tx: Tx,
  { credential_id, merchant_id }: Pick<KeptPasskey, 'credential_id' | 'merchant_id'>,
  now_ms: number,
): Promise<void> {
  await tx.query('delete from passkeys where credential_id = $1', [credential_id]);
  await notePasskey(tx, { at_ms: now_ms, what: 'unpinned', merchant_id, credential_id });
}
