import { describeMerchant } from '@tender/contracts';
import { hashOfKey } from '../key-secret';
import { accountsStage, type AccountsStage } from '../testing/accounts-stage';

const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

let stage: AccountsStage;
beforeAll(async () => {
  const chain = { mints: {}, accountKind: async () => 'wallet' };
  stage = await accountsStage(undefined, { chains: { test: chain, live: chain } as never });
});
afterAll(() => stage?.close());

const holderOf = (key: string) => stage.directory.authenticate(hashOfKey(key));

async function newShop() {
  const { json } = await stage.send('POST', '/api/v1/merchants', stage.caller(), {
    ...{ name: 'Corner Shop', email: 'owner@shop.example.com', business_address: '5 High Street' },
    ...{ wallet_generation_method: 'external', wallet_address: WALLET },
  });
  return { id: json.id as string, email: json.email as string, key: json.api_key as string };
}

test('a merchant changes its name, address and support e-mail; its key says the name at once', async () => {
  const shop = await newShop();
  const { email } = shop;
  const update = (body: object) =>
    stage.send('PATCH', '/api/v1/merchants/me', stage.caller({ merchant_id: shop.id }), body);
  const describe = () =>
    stage.runtime.calls.ask(
      describeMerchant,
      { merchant_id: shop.id },
      { mode: 'test', correlation_id: 'c' },
    );
  const before = await describe();
  expect(before).toMatchObject({ name: 'Corner Shop', wallet: WALLET, amount_max: 99_999_999 });
  expect(before?.support_email).toBe(email);
  expect(await holderOf(shop.key)).toMatchObject({ merchant_name: 'Corner Shop' });

  const { status, json } = await update({ name: ' Tea Room ', support_email: 'help@tea.test' });
  expect([status, json]).toEqual([
    200,
    {
      ...{ id: shop.id, name: 'Tea Room', email: before?.support_email },
      ...{ business_address: expect.any(String) as string, support_email: 'help@tea.test' },
      ...{ wallet_address: WALLET, created_at: expect.any(String) as string },
    },
  ]);
  expect(await holderOf(shop.key)).toMatchObject({ merchant_name: 'Tea Room' });
  expect(await describe()).toMatchObject({ name: 'Tea Room', support_email: 'help@tea.test' });
  expect((await update({})).json).toEqual(json);
  expect((await update({ business_address: '1 Quay' })).json).toEqual({ ...json, business_address: '1 Quay' });
  const events = await stage.runtime.eventStore.load(`merchant.all-${shop.id}`);
  expect(JSON.stringify(events)).not.toMatch(/tea room|help@tea|quay/i);
});

test('a merchant that there is not has no profile', async () => {
  const asking = { mode: 'test', correlation_id: 'c' } as const;
  expect(await stage.runtime.calls.ask(describeMerchant, { merchant_id: 'x' }, asking)).toBeNull();
});
