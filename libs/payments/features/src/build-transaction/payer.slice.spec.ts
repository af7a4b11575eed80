import { ASSERT_PROGRAM, TOKEN_ACCOUNT_PROGRAM, TOKEN_PROGRAM } from '@tender/transactions';
import { CheckoutStage, type Payment } from '../testing/checkout-stage';

let stage: CheckoutStage;
beforeAll(async () => {
  stage = await CheckoutStage.start();
});
afterAll(() => stage?.close());

test.each<[string, (payment: Payment) => string]>([
  ['the token program', () => TOKEN_PROGRAM],
  ['the program of token accounts', () => TOKEN_ACCOUNT_PROGRAM],
  ['the program of asserts', () => ASSERT_PROGRAM],
  ['a sysvar', () => 'SysvarC1ock11111111111111111111111111111111'],
  ['a mint of the mode', () => stage.chain.mints.USDC],
  ['a mint of every network', () => 'So11111111111111111111111111111111111111112'],
  ['an account that a program owns', (payment) => stage.chain.tokenAccount(payment.wallet_address, 'USDC')],
  ['the merchant’s own wallet', (payment) => payment.wallet_address],
])('%s pays nothing, and nothing is recorded', async (_, addressFor) => {
  const payment = await stage.payment();
  const address = addressFor(payment);
  const asked = [
    ['build-transaction', 'payer_wallet'],
    ['transaction-request', 'account'],
  ] as const;
  for (const [action, field] of asked) {
    const { status, json } = await stage.post(payment, action, { [field]: address });
    expect([status, json.code]).toEqual([400, 'invalid_parameter']);
    expect(JSON.stringify(json)).toContain(field);
  }
  expect(await stage.eventsOf(payment)).toEqual(['PaymentCreated']);
});
