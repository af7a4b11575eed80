import type { HeldProof } from '@tender/signer-domain';
import type { Tx } from './ledger-database';

/** What a proof was used for: the digest of its challenge; null: it was not used. */
export async function useOf(tx: Tx, nonce: string): Promise<string | null> {
  const { rows } = await tx.query<{ digest: string }>('select digest from proofs where nonce = $1', [
    nonce,
  ]);
  return rows[0]?.digest ?? null;
}

/** Uses a proof up, in the transaction of what it allows: where another was faster, nothing of that happens. */
export async function useProof(
  tx: Tx,
  { nonce, digest, counter }: HeldProof,
  credential_id: string,
  now_ms: number,
): Promise<void> {
  await tx.query(
    'insert into proofs (nonce, digest, credential_id, used_ms) values ($1, $2, $3, $4)',
    [nonce, digest, credential_id, now_ms],
  );
  await tx.query('update passkeys set counter = $2 where credential_id = $1', [credential_id, counter]);
}
