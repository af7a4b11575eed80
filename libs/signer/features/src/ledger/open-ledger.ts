import type { HostedRole, KeyEncryption } from '@tender/threshold';
import type { Pool } from 'pg';
import { migrate, transaction } from './ledger-database';
import { checkUnder, isUnder, readSigner, type SignerRow } from './signer-row';

/** Why a signer must not serve on this ledger, and the way out. */
export class LedgerRefused extends Error {
  override readonly name = 'LedgerRefused';
}

/**
 * Brings a signer’s ledger up to date and makes sure that it is its own: of the same role, and sealed under one of
 * these key-encryption keys, which is proven by a value that only that key opens. Answers that key; a new ledger is
 * under the first one.
 */
export async function openLedger(
  pool: Pool,
  role: HostedRole,
  ...keks: readonly [KeyEncryption, ...KeyEncryption[]]
): Promise<KeyEncryption> {
  await migrate(pool);
  const kept = await keptBy(pool, role, keks[0]);
  refuseOtherRole(kept, role);
  for (const kek of keks) if (await isUnder(kept, kek)) return kek;
  throw new LedgerRefused(
    `${sealedUnder(kept)}, and this is ${keks.map(({ id }) => id).join(' or ')}: ` +
      'give this signer the key that it had (SIGNER_DIR, KEK_FD).',
  );
}

async function keptBy(pool: Pool, role: HostedRole, kek: KeyEncryption): Promise<SignerRow> {
  const kek_check = await checkUnder(kek);
  return transaction(pool, async (tx) => {
    await tx.query(
      'insert into signer (role, kek_id, kek_check) values ($1, $2, $3) on conflict do nothing',
      [role, kek.id, kek_check],
    );
    return (await readSigner(tx)) as SignerRow;
  });
}

/** A ledger and a role go together for ever. */
export function refuseOtherRole(kept: SignerRow, role: HostedRole): void {
  if (kept.role !== role) {
    throw new LedgerRefused(
      `this ledger belongs to signer ${kept.role}, and this is signer ${role}: ` +
        'SIGNER_DATABASE_URL must name the database of this signer.',
    );
  }
}

export const sealedUnder = ({ kek_id }: SignerRow): string =>
  `the shares of this ledger are sealed under the key-encryption key ${kek_id}`;
