import { Controller, Inject } from '@nestjs/common';
import { readWallet, type RequestContext, type WalletAnswer } from '@tender/contracts';
import type { Runtime, WalletBalances } from '@tender/eventing';
import { Caller, notFound, RUNTIME, Serves } from '@tender/http';
import { fromUnits, TOKEN_DECIMALS } from '@tender/kernel';
import { merchant } from '../merchant-details/merchant.aggregate';

const NOTHING: WalletBalances = { USDC: 0n, USDT: 0n, SOL: 0n };

@Controller()
export class ReadWalletHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Balances are read from the chain at once; 503 when it does not answer (specification §2.1). */
  @Serves(readWallet)
  async read(@Caller() caller: RequestContext): Promise<WalletAnswer> {
    const { merchant_id, mode, min_position } = caller;
    const known = await merchant.read(this.runtime, 'all', merchant_id, min_position);
    if (!known) throw notFound();
    const { wallet_address, wallet_type } = known;
    const chain = this.runtime.chains[mode];
    const balances = wallet_address ? await chain.balances(wallet_address) : NOTHING;
    return {
      wallet_address,
      wallet_type,
      network: chain.network,
      mode,
      sol_balance: fromUnits(balances.SOL, TOKEN_DECIMALS.SOL),
      usdc_balance: fromUnits(balances.USDC, TOKEN_DECIMALS.USDC),
      usdt_balance: fromUnits(balances.USDT, TOKEN_DECIMALS.USDT),
      has_mpc_wallet: wallet_type === 'mpc_passkey' && wallet_address !== null,
      operating_wallet_address: null,
    };
  }
}
