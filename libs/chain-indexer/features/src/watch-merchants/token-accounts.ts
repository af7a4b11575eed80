import type { Chain } from '@tender/eventing';

/** The accounts at which a wallet receives what Tender takes, beside the wallet itself. */
export const tokenAccountsOf = (
  chain: Pick<Chain, 'tokenAccount'>,
  wallet: string,
): readonly string[] => [chain.tokenAccount(wallet, 'USDC'), chain.tokenAccount(wallet, 'USDT')];
