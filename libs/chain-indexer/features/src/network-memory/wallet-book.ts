import { printOf, type KeyFilter } from './key-filter';

/** One network's wallets of merchants, and the accounts at which they receive. */
export class WalletBook {
  private readonly merchants = new Map<string, string[]>();
  /** Merchants by operating wallet. */
  private readonly operating = new Map<string, string>();
  private readonly addresses = new Set<string>();

  /** `filter`: over everything that blocks are searched for. */
  constructor(private readonly filter: KeyFilter) {}

  has(address: string): boolean {
    return this.addresses.has(address);
  }

  /** The wallet that a merchant has named or made: other merchants may have named it, too. */
  addMerchant(merchant_id: string, wallet: string, accounts: readonly string[]): void {
    const merchants = this.merchants.get(wallet) ?? [];
    if (!merchants.includes(merchant_id)) this.merchants.set(wallet, [...merchants, merchant_id]);
    this.addAddresses([wallet, ...accounts]);
  }

  addOperating(merchant_id: string, wallet: string, accounts: readonly string[]): void {
    this.operating.set(wallet, merchant_id);
    this.addAddresses([wallet, ...accounts]);
  }

  isOperating(address: string): boolean {
    return this.operating.has(address);
  }

  /**
   * Whose the money in it is; empty when the wallet is no merchant's. An operating wallet is one merchant's alone,
   * whatever wallet another one has named.
   */
  merchantsOf(wallet: string): readonly string[] {
    const merchant_id = this.operating.get(wallet);
    return merchant_id === undefined ? (this.merchants.get(wallet) ?? []) : [merchant_id];
  }

  private addAddresses(addresses: readonly string[]): void {
    for (const address of addresses) {
      if (this.addresses.has(address)) continue;
      this.addresses.add(address);
      this.filter.add(printOf(address));
    }
  }
}
