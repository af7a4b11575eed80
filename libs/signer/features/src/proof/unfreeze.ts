import { transaction } from '../ledger/ledger-database';
import { lockWallet, unfreezeWallet } from '../ledger/wallets';
import type { SignerParts } from '../service/ports';
import { refuse, type Ask, type Reply } from '../service/reply';
import { withProof } from './with-proof';

/** Lets a wallet go on that was frozen. A wallet that this signer has not frozen stays as it is. */
export async function unfreeze(
  parts: SignerParts,
  { body }: Ask<'unfreeze'>,
): Promise<Reply<'unfreeze'>> {
  const { wallet, proof } = body ?? {};
  if (typeof wallet !== 'string') return refuse('ask_malformed', 'wallet is an address');
  return transaction(parts.ledger, async (tx) => {
    const held = await lockWallet(tx, wallet);
    if (held === null) return refuse('wallet_unknown', 'this signer holds no share of the wallet');
    const { merchant_id, mode } = held.roster;
    return withProof(parts, tx, proof, {
      operation: { type: 'unfreeze_operating_wallet', merchant_id, mode, wallet },
      is_done: !held.frozen,
      body: { frozen: false },
      carryOut: async (now_ms) => {
        if (held.frozen) await unfreezeWallet(tx, wallet, now_ms);
      },
    });
  });
}
