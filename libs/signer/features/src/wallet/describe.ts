import { usedOfDay } from '../ledger/operations';
import { walletAt } from '../ledger/wallets';
import type { SignerParts } from '../service/ports';
import { refuse, type Ask, type Reply } from '../service/reply';

/** What a wallet may still do, by this signer’s ledger. */
export async function describe(
  { ledger, rules, clock }: SignerParts,
  { body }: Ask<'describe'>,
): Promise<Reply<'describe'>> {
  const address = body?.wallet;
  if (typeof address !== 'string') return refuse('ask_malformed', 'wallet is an address');
  const wallet = await walletAt(ledger, address);
  if (wallet === null) return { body: null };
  const { roster, frozen } = wallet;
  // Of a merchant's own wallet, which serves both modes, this signer signs nothing.
  const of_rules = roster.mode === 'all' ? 0 : rules[roster.mode].day_limit_cents;
  const day_limit_cents = wallet.day_limit_cents ?? of_rules;
  const day_used_cents = await usedOfDay(ledger, address, clock.wall());
  return { body: { frozen, day_limit_cents, day_used_cents } };
}
