import { Controller, Inject } from '@nestjs/common';
import {
  operatingWallet,
  readWallet,
  type OperatingWallet,
  type RequestContext,
  type WalletAnswer,
} from '@tender/contracts';
import { Unavailable, type Runtime, type WalletBalances } from '@tender/eventing';
import { Caller, notFound, RUNTIME, Serves } from '@tender/http';
import { fromUnits, TOKEN_DECIMALS } from '@tender/kernel';
import { custodyModelOf, type SignedRoster } from '@tender/threshold';
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
    const { wallet_address, wallet_type, passkey_wallet } = known;
    const own_roster = passkey_wallet?.roster as SignedRoster | undefined;
    const chain = this.runtime.chains[mode];
    const [balances, operating] = await Promise.all([
      wallet_address ? chain.balances(wallet_address) : NOTHING,
      this.operatingWallet(caller),
    ]);
    return {
      wallet_address,
      wallet_type,
      network: chain.network,
      mode,
      sol_balance: fromUnits(balances.SOL, TOKEN_DECIMALS.SOL),
      usdc_balance: fromUnits(balances.USDC, TOKEN_DECIMALS.USDC),
      usdt_balance: fromUnits(balances.USDT, TOKEN_DECIMALS.USDT),
      has_mpc_wallet: wallet_type === 'mpc_passkey' && wallet_address !== null,
      operating_wallet_address: operating?.address ?? null,
      operating_wallet_custody_model: operating?.custody_model ?? null,
      operating_wallet_frozen: operating?.frozen ?? null,
      operating_wallet_per_day_usd: operating?.per_day_usd ?? null,
      custody_model: own_roster ? custodyModelOf(own_roster.roster) : null,
      roster: (operating?.roster as object | undefined) ?? null,
      wallet_roster: own_roster ?? null,
    };
  }

  /** Asking makes it where it is missing. Null: it is not there yet; the merchant’s own wallet shows all the same. */
  private async operatingWallet(caller: RequestContext): Promise<OperatingWallet | null> {
    const { merchant_id, mode, correlation_id, command_id } = caller;
    const asking = { mode, correlation_id, command_id };
    try {
      const asked = await this.runtime.calls.ask(operatingWallet, { merchant_id }, asking);
      return asked.ok ? asked.value : null;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.runtime.log.warn({ merchant_id, mode, error: error.message }, 'the operating wallet is not shown');
      return null;
    }
  }
}
