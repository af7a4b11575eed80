import { Shops, WALLET } from '../testing/shops';

const shops = new Shops();
beforeAll(() => shops.start());
afterAll(shops.close);

test('the wallet shows whole tokens; without the chain it is 503', async () => {
  const shop = await shops.newShop();
  const wallet = () =>
    shops.stage.send('GET', '/api/v1/merchants/me/wallet', shops.stage.caller(shop.as({ mode: 'live' })));
  expect((await wallet()).json).toEqual({
    wallet_address: WALLET,
    wallet_type: 'external',
    network: 'localnet',
    mode: 'live',
    sol_balance: 0.000000001,
    usdc_balance: 12.5,
    usdt_balance: 0,
    has_mpc_wallet: false,
    operating_wallet_address: null,
  });
  shops.is_chain_down = true;
  const down = await wallet();
  shops.is_chain_down = false;
  expect([down.status, down.json.code]).toEqual([503, 'service_unavailable']);
});
