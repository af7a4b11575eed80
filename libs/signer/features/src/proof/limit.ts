import { transaction } from '../ledger/ledger-database';
import { limitWallet, lockWallet } from '../ledger/wallets';
import type { SignerParts } from '../service/ports';
import { refuse, type Ask, type Reply } from '../service/reply';
import { withProof } from './with-proof';

/** A billion US dollars. */
const CENTS_MAX = 100_000_000_000;

/** Sets what may leave a wallet in 24 hours, more or less than before. */
export async function limit(parts: SignerParts, { body }: Ask<'limit'>): Promise<Reply<'limit'>> {
  const { wallet, day_limit_cents, proof } = body ?? {};
  if (typeof wallet !== 'string' || !isLimit(day_limit_cents)) {
    return refuse('ask_malformed', 'wallet is an address, and day_limit_cents a whole number above 0');
  }
  return transaction(parts.ledger, async (tx) => {
    const held = await lockWallet(tx, wallet);
    if (held === null) return refuse('wallet_unknown', 'this signer holds no share of the wallet');
    const { merchant_id, mode } = held.roster;
    const of_wallet = { merchant_id, mode, wallet };
    return withProof(parts, tx, proof, {
      operation: { type: 'set_operating_wallet_limits', ...of_wallet, per_day_cents: day_limit_cents },
      is_done: held.day_limit_cents === day_limit_cents,
      body: { day_limit_cents },
      carryOut: (now_ms) => limitWallet(tx, wallet, day_limit_cents, now_ms),
    });
  });
}

const isLimit = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= CENTS_MAX;
