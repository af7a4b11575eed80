import { transaction } from '../ledger/ledger-database';
import { countPasskeys, lockPasskeys, passkeyOf, removePasskey } from '../ledger/passkeys';
import type { SignerParts } from '../service/ports';
import { refuse, type Ask, type Reply } from '../service/reply';
import { wasCarriedOut, withProof } from './with-proof';

const UNPINNED = { unpinned: true } as const;

/**
 * Takes a passkey of a merchant away, allowed by one that is known: itself or another. The last one stays. Asked again
 * with the same proof it answers the same: the answer may have been lost on the way.
 */
export async function unpinPasskey(
  parts: SignerParts,
  { body }: Ask<'passkey.unpin'>,
): Promise<Reply<'passkey.unpin'>> {
  const { merchant_id, credential_id, proof } = body ?? {};
  if (typeof merchant_id !== 'string' || typeof credential_id !== 'string') {
    return refuse('ask_malformed', 'merchant_id and credential_id are texts');
  }
  return transaction(parts.ledger, async (tx) => {
    await lockPasskeys(tx, merchant_id);
    const operation = { type: 'unpin_passkey', merchant_id, credential_id } as const;
    const known = await passkeyOf(tx, credential_id);
    if (known?.merchant_id !== merchant_id) {
      if (await wasCarriedOut(tx, proof, operation)) return { body: UNPINNED };
      return refuse('passkey_unknown_credential', 'the merchant has no such passkey here');
    }
    if ((await countPasskeys(tx, merchant_id)) === 1) {
      return refuse('passkey_last', 'without it, nothing of the merchant could ever be allowed again');
    }
    return withProof(parts, tx, proof, {
      operation,
      is_done: false,
      body: UNPINNED,
      carryOut: (now_ms) => removePasskey(tx, { merchant_id, credential_id }, now_ms),
    });
  });
}
