import type { Chain, ChainTransaction } from '@tender/eventing';
import type { Token } from '@tender/kernel';

/** Money that came into a wallet, and who sent it. */
export interface PaidBy {
  readonly payer: string;
  readonly token: Token;
  /** Base units. */
  readonly amount: bigint;
}

/** What a transaction brought to the wallet; null where it brought nothing, or from several at once. */
export function paidBy(
  { changes, failed }: ChainTransaction,
  wallet: string,
  mints: Chain['mints'],
): PaidBy | null {
  const tokens = new Map<string | null, Token>([[null, 'SOL'], [mints.USDC, 'USDC'], [mints.USDT, 'USDT']]);
  const credit = changes.find(({ owner, delta }) => owner === wallet && delta > 0n);
  const token = credit && tokens.get(credit.mint);
  if (failed || !credit || !token) return null;
  const payers = changes.filter(
    ({ owner, mint, delta }) => mint === credit.mint && owner !== wallet && -delta >= credit.delta,
  );
  const [payer] = payers;
  return payer && payers.length === 1 ? { payer: payer.owner, token, amount: credit.delta } : null;
}
