import { freezeWallet } from '../ledger/wallets';
import type { SignerParts } from '../service/ports';
import { refuse, type Ask, type Reply } from '../service/reply';

const REASON_LENGTH_MAX = 200;

/** Either signer alone stops a wallet, without any proof. That it may go on takes one of its owner (`unfreeze`). */
export async function freeze(
  { ledger, clock, log }: SignerParts,
  { body }: Ask<'freeze'>,
): Promise<Reply<'freeze'>> {
  const { wallet, reason } = body ?? {};
  if (typeof wallet !== 'string' || typeof reason !== 'string') {
    return refuse('ask_malformed', 'wallet is an address, and reason a text');
  }
  const now_ms = clock.wall();
  const kept = { reason: reason.slice(0, REASON_LENGTH_MAX), now_ms };
  if (!(await freezeWallet(ledger, wallet, kept))) {
    return refuse('wallet_unknown', 'this signer holds no share of the wallet');
  }
  log.warn({ wallet }, 'a wallet is frozen');
  return { body: { frozen: true } };
}
