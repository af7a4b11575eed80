import type { HostedRole, KeyEncryption } from '@tender/threshold';
import type { Tx } from './ledger-database';

const CHECK = Buffer.from('tender.kek-check.v1');

/** Whose ledger this is, and which key-encryption key its shares are sealed under. */
export interface SignerRow {
  readonly role: HostedRole;
  readonly kek_id: string;
  /** Base64: a value that this key alone opens. */
  readonly kek_check: string;
}

/** Null where no signer has ever served on this ledger. */
export async function readSigner(
  from: Pick<Tx, 'query'>,
  lock: '' | 'for update' = '',
): Promise<SignerRow | null> {
  const { rows } = await from.query<SignerRow>(`select role, kek_id, kek_check from signer ${lock}`);
  return rows[0] ?? null;
}

/** What `isUnder` opens. */
export const checkUnder = async (kek: KeyEncryption): Promise<string> =>
  Buffer.from(await kek.wrap(CHECK)).toString('base64');

/** Whether the ledger is sealed under this key, by what the key opens and not by its name alone. */
export async function isUnder(
  { kek_id, kek_check }: SignerRow,
  kek: KeyEncryption,
): Promise<boolean> {
  if (kek_id !== kek.id) return false;
  try {
    return CHECK.equals(await kek.unwrap(Buffer.from(kek_check, 'base64')));
  } catch {
    return false;
  }
}
