import { bytesOfBase64url, credentialKey } from '@tender/threshold';
import { transaction, type Tx } from '../ledger/ledger-database';
import { addPasskey, countPasskeys, lockPasskeys, passkeyOf } from '../ledger/passkeys';
import type { SignerParts } from '../service/ports';
import { refuse, type Ask, type Refusal, type Reply } from '../service/reply';
import { withProof } from './with-proof';

/** As many as a merchant can register. */
const PASSKEYS_MAX = 20;
const PINNED = { pinned: true } as const;

interface NewPasskey {
  readonly merchant_id: string;
  readonly credential_id: string;
  readonly public_key: string;
}

/**
 * Takes up a passkey of a merchant. The first one is believed where treasury asks without a proof, as there is nothing
 * to compare it with; each later one only where a passkey that is known allows exactly this one, so that a proof that
 * comes before the first is refused. Asked again it answers the same.
 */
export async function pinPasskey(
  parts: SignerParts,
  { body }: Ask<'passkey.pin'>,
): Promise<Reply<'passkey.pin'>> {
  const passkey = newPasskey(body);
  if ('refused' in passkey) return passkey;
  return transaction(parts.ledger, async (tx) => {
    const { merchant_id, credential_id, public_key } = passkey;
    await lockPasskeys(tx, merchant_id);
    const known = await passkeyOf(tx, credential_id);
    if (known !== null) return sameOrRefused(known, passkey);
    const count = await countPasskeys(tx, merchant_id);
    if (count >= PASSKEYS_MAX) return refuse('passkeys_too_many', `a merchant has ${PASSKEYS_MAX} at most`);
    if (count === 0 && !body.proof) return first(parts, tx, passkey);
    if (!body.proof) return refuse('passkey_required', 'a passkey that is known has to allow another one');
    return withProof(parts, tx, body.proof, {
      operation: { type: 'pin_passkey', merchant_id, credential_id, public_key },
      is_done: false,
      body: PINNED,
      carryOut: (now_ms) => addPasskey(tx, passkey, now_ms),
    });
  });
}

async function first({ clock, log }: SignerParts, tx: Tx, passkey: NewPasskey) {
  await addPasskey(tx, passkey, clock.wall());
  log.warn({ merchant_id: passkey.merchant_id }, 'the first passkey of a merchant is believed');
  return { body: PINNED };
}

/** What is asked for, where it can be a passkey at all. */
function newPasskey(body: unknown): NewPasskey | Refusal {
  const { merchant_id, credential_id, public_key } = (body ?? {}) as Partial<NewPasskey>;
  const is_id = typeof credential_id === 'string' && isCredentialId(credential_id);
  if (typeof merchant_id !== 'string' || !is_id || typeof public_key !== 'string') {
    return refuse('ask_malformed', 'merchant_id, credential_id and public_key are texts');
  }
  const cose = bytesOfBase64url(public_key);
  if (cose === null || credentialKey(cose) === null) {
    return refuse('passkey_key_invalid', 'public_key is no ES256, EdDSA or RS256 key');
  }
  return { merchant_id, credential_id, public_key };
}

/** WebAuthn allows 1023 bytes. */
const ID_LENGTH_MAX = 1_364;
const isCredentialId = (text: string): boolean =>
  text.length > 0 && text.length <= ID_LENGTH_MAX && bytesOfBase64url(text) !== null;

function sameOrRefused(
  known: NewPasskey,
  { merchant_id, public_key }: NewPasskey,
): { readonly body: typeof PINNED } | Refusal {
  if (known.merchant_id === merchant_id && known.public_key === public_key) return { body: PINNED };
  return refuse('passkey_pinned_otherwise', 'a passkey of this id is known with another owner or key');
}
