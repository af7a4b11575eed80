import { operatingWallet, type OperatingWallet } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { done, refuse, type Outcome } from '@tender/kernel';
import { Shops, WALLET } from '../testing/shops';

const shops = new Shops();
beforeAll(() => shops.start());
afterAll(shops.close);

type Shop = Awaited<ReturnType<Shops['newShop']>>;
const walletOf = (shop: Shop, mode: 'test' | 'live') =>
  shops.stage.send('GET', '/api/v1/merchants/me/wallet', shops.stage.caller(shop.as({ mode })));

/** What treasury shows of a wallet. */
const operating = (address: string, per_day_usd: number | null = null): OperatingWallet => ({
  ...{ address, settlement_wallet: null, custody_model: 'shared', roster: { roster: { wallet: address }, signatures: {} } },
  ...{ frozen: per_day_usd !== null, per_day_usd },
});

const NONE = {
  operating_wallet_address: null,
  operating_wallet_custody_model: null,
  operating_wallet_frozen: null,
  operating_wallet_per_day_usd: null,
  custody_model: null,
  roster: null,
  wallet_roster: null,
};

test('the wallet shows whole tokens; without the chain it is 503', async () => {
  const shop = await shops.newShop();
  expect((await walletOf(shop, 'live')).json).toEqual({
    wallet_address: WALLET,
    wallet_type: 'external',
    network: 'localnet',
    mode: 'live',
    sol_balance: 0.000000001,
    usdc_balance: 12.5,
    usdt_balance: 0,
    has_mpc_wallet: false,
    // Nothing answers for treasury here.
    ...NONE,
  });
  shops.is_chain_down = true;
  const down = await walletOf(shop, 'live');
  shops.is_chain_down = false;
  expect([down.status, down.json.code]).toEqual([503, 'service_unavailable']);
});

test('the operating wallet shows to its merchant and in its mode alone, once it is there', async () => {
  const [one, other] = [await shops.newShop(), await shops.newShop()];
  const wallets = new Map([
    [`test ${one.id}`, operating('7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5')],
    [`live ${one.id}`, operating('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR9', 250.5)],
  ]);
  type Answer = Outcome<OperatingWallet | null, 'merchant_not_found'>;
  let answer = async (key: string): Promise<Answer> => done(wallets.get(key) ?? null);
  shops.stage.runtime.calls.answer(operatingWallet, async ({ merchant_id }, { mode }) =>
    answer(`${mode} ${merchant_id}`),
  );
  const shown = async (shop: Shop, mode: 'test' | 'live') => {
    const { json } = await walletOf(shop, mode);
    return Object.fromEntries(Object.keys(NONE).map((field) => [field, json[field]]));
  };
  for (const mode of ['test', 'live'] as const) {
    const { address, custody_model, roster, frozen, per_day_usd } = wallets.get(`${mode} ${one.id}`) as OperatingWallet;
    expect(await shown(one, mode)).toEqual({
      operating_wallet_address: address,
      operating_wallet_custody_model: custody_model,
      operating_wallet_frozen: frozen,
      operating_wallet_per_day_usd: per_day_usd,
      custody_model: null,
      roster,
      wallet_roster: null,
    });
    expect(await shown(other, mode)).toEqual(NONE);
  }

  // Without an answer the merchant’s own wallet shows all the same.
  answer = async () => {
    throw new Unavailable('a signer');
  };
  expect((await walletOf(one, 'test')).status).toBe(200);
  expect(await shown(one, 'test')).toEqual(NONE);
  answer = async () => refuse('merchant_not_found');
  expect(await shown(one, 'test')).toEqual(NONE);
});
