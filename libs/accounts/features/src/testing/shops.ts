import { Unavailable } from '@tender/eventing';
import { hashOfKey } from '../key-secret';
import { accountsStage, type AccountsStage } from './accounts-stage';

export const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
export const LOCAL_MINT = WALLET.replace('9x', '7x');
export const TOKEN_ACCOUNT = WALLET.replace('9x', '6x');
/** What a merchant sends who has a wallet. */
export const external = { wallet_generation_method: 'external', wallet_address: WALLET };

/** Merchants that sign up, on a chain that a test may take away. */
export class Shops {
  is_chain_down = false;
  stage!: AccountsStage;
  private count = 0;

  async start(): Promise<void> {
    const chain = this.chain();
    this.stage = await accountsStage(undefined, {
      chains: { test: chain, live: chain } as never,
      outbound: { refusal: async (url: string) => (url.includes('10.0.') ? 'is ours' : null) } as never,
    });
  }

  close = (): Promise<void> | undefined => this.stage?.close();

  post(path: string, body: object | undefined, changes: object = {}) {
    return this.stage.send('POST', path, this.stage.caller(changes), body);
  }

  /** Of another shop each time. */
  signUpBody(changes: object = {}) {
    return {
      name: ' Corner Shop ',
      email: `Owner${(this.count += 1)}@Shop.example.com`,
      business_address: '5 High Street',
      ...changes,
    };
  }

  signUp(changes: object = {}, caller: object = {}) {
    return this.post('/api/v1/merchants', this.signUpBody(changes), caller);
  }

  /** The e-mail of the one that signed up last. */
  get lastEmail(): string {
    return `Owner${this.count}@Shop.example.com`;
  }

  holderOf(key: string) {
    return this.stage.directory.authenticate(hashOfKey(key));
  }

  async newShop() {
    const { json } = await this.signUp(external);
    const as = (changes: object = {}) => ({ merchant_id: json.id, ...changes });
    const keys = async (changes: object = {}) =>
      (await this.stage.send('GET', '/api/v1/keys', this.stage.caller(as(changes)))).json;
    return { id: json.id as string, key: json.api_key as string, as, keys };
  }

  private chain() {
    const mustBeUp = (): void => {
      if (this.is_chain_down) throw new Unavailable('chain');
    };
    return {
      network: 'localnet',
      get mints() {
        mustBeUp();
        return { USDC: LOCAL_MINT, USDT: WALLET.replace('9x', '8x') };
      },
      accountKind: async (address: string) => {
        mustBeUp();
        return address === TOKEN_ACCOUNT ? 'token_account' : 'wallet';
      },
      balances: async () => {
        mustBeUp();
        return { USDC: 12_500_000n, USDT: 0n, SOL: 1n };
      },
    };
  }
}
