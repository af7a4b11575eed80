import { CheckoutStage, type Payment, type Wallet } from '../testing/checkout-stage';

let stage: CheckoutStage;
let alice: Wallet;
let bob: Wallet;
beforeAll(async () => {
  stage = await CheckoutStage.start();
  [alice, bob] = [await stage.customer(), await stage.customer()];
});
afterAll(() => stage?.close());

const ask = (payment: Payment, { address: account }: Wallet) =>
  stage.post(payment, 'transaction-request', { account });

test('a phone’s wallet learns who is paid', async () => {
  const payment = await stage.payment();
  const path = `/api/v1/payments/${payment.id}/transaction-request`;
  const { status, json } = await stage.context.send('GET', path, stage.context.caller());
  expect([status, json]).toEqual([200, { label: 'Corner Shop', icon: 'http://pay.test/icon.svg' }]);
});

test('it signs and sends what it gets, and its payment is bound to it', async () => {
  const payment = await stage.payment();
  const { status, json } = await ask(payment, alice);
  expect([status, json]).toEqual([
    200,
    { transaction: expect.any(String) as string, message: `10 USDC for ${payment.id}` },
  ]);
  expect(await ask(payment, bob)).toMatchObject({ status: 409, json: { code: 'wallet_mismatch' } });
  await stage.chain.send(Buffer.from(stage.signed(json.transaction, alice), 'base64'));
  while ((await stage.chain.transactionsOf(payment.reference, 0)).length === 0);
  const [landed] = await stage.chain.transactionsOf(payment.reference, 0);
  expect(landed).toMatchObject({ failed: false, fee_payer: alice.address });
});

test('no account, and none of a payment that there is not', async () => {
  const payment = await stage.payment();
  const unknown = { ...payment, id: `pay_test_${'1'.repeat(22)}` };
  expect((await ask(unknown, alice)).status).toBe(404);
});
