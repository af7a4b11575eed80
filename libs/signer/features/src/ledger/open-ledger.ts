import type { HostedRole, KeyEncryption } from '@tender/threshold';
import type { Pool } from 'pg';
import { migrate, transaction } from './ledger-database';

const CHECK = Buffer.from('tender.kek-check.v1');

/** Why a signer must not serve on this ledger, and the way out. */
export class LedgerRefused extends Error {
  override readonly name = 'LedgerRefused';
}

/**
 * Brings a signer’s ledger up to date and makes sure that it is its own: of the same role, and sealed under the same
 * key-encryption key, which is proven by a value that only that key opens.
 */
export async function openLedger(pool: Pool, role: HostedRole, kek: KeyEncryption): Promise<void> {
  await migrate(pool);
  const wrapped = Buffer.from(await kek.wrap(CHECK)).toString('base64');
  const kept = await transaction(pool, async (tx) => {
    await tx.query(
      'insert into signer (role, kek_id, kek_check) values ($1, $2, $3) on conflict do nothing',
      [role, kek.id, wrapped],
    );
    const { rows } = await tx.query<{ role: string; kek_id: string; kek_check: string }>(
      'select role, kek_id, kek_check from signer',
    );
    return rows[0] as { role: string; kek_id: string; kek_check: string };
  });
  if (kept.role !== role) {
    throw new LedgerRefused(
      `this ledger belongs to signer ${kept.role}, and this is signer ${role}: ` +
        'SIGNER_DATABASE_URL must name the database of this signer.',
    );
  }
  if (!(await opens(kek, kept.kek_check))) {
    throw new LedgerRefused(
      `the shares of this ledger are sealed under the key-encryption key ${kept.kek_id}, and this is ${kek.id}: ` +
        'give this signer the key that it had (SIGNER_DIR, KEK_FD).',
    );
  }
}

async function opens(kek: KeyEncryption, kek_check: string): Promise<boolean> {
  try {
    return CHECK.equals(await kek.unwrap(Buffer.from(kek_check, 'base64')));
  } catch {
    return false;
  }
}
