import { Unavailable } from '@tender/eventing';
import {
  base58,
  COMPUTE_BUDGET_PROGRAM,
  paymentMessage,
  readMessage,
  TOKEN_ACCOUNT_PROGRAM,
} from '@tender/transactions';
import { signedBy } from '@tender/transactions/testing';
import { CheckoutStage, messageIn, type Payment, type Wallet } from '../testing/checkout-stage';

let stage: CheckoutStage;
let alice: Wallet;
let bob: Wallet;
beforeAll(async () => {
  stage = await CheckoutStage.start();
  [alice, bob] = [await stage.customer(), await stage.customer()];
});
afterAll(() => stage?.close());

const programsOf = (transaction: string) =>
  readMessage(messageIn(transaction)).instructions.map(({ program }) => program);

test('answers every field, for the wallet to sign', async () => {
  const payment = await stage.payment();
  const { status, json } = await stage.build(payment, alice);
  expect(status).toBe(200);
  expect(json).toEqual({
    transaction: expect.any(String) as string,
    message: `10 USDC for ${payment.id}`,
    is_gasless: false,
    requires_backend_submission: false,
    fee_payer: alice.address,
    recent_blockhash: expect.any(String) as string,
    last_valid_block_height: expect.any(Number) as number,
    reference: payment.reference,
    expires_at: payment.expires_at,
  });
  const message = readMessage(messageIn(json.transaction));
  const { recent_blockhash } = json;
  expect(message).toMatchObject({ fee_payer: alice.address, recent_blockhash });
  expect(message.signers).toEqual([alice.address]);
  expect(await stage.eventsOf(payment)).toEqual(['PaymentCreated', 'TransactionBuilt']);
});

test.each(['USDC', 'USDT', 'SOL'] as const)('what is built in %s pays exactly that', async (token) => {
  const payment = await stage.payment(token);
  const { json } = await stage.build(payment, alice);
  const submitted = await stage.submit(payment, stage.signed(json.transaction, alice));
  expect(submitted.status).toBe(200);
  const landed = await stage.landed(submitted.json.transaction_signature);
  expect(landed.failed).toBe(false);
  expect(landed.account_keys).toContain(payment.reference);
  const paid = landed.changes.filter(({ owner }) => owner === payment.wallet_address);
  expect(paid.map(({ delta }) => delta.toString())).toEqual([payment.token_amount]);
});

test('35: a missing token account of the merchant is made by the payer, one that is there is not', async () => {
  const payment = await stage.payment();
  const first = await stage.build(payment, alice);
  expect(programsOf(first.json.transaction)).toContain(TOKEN_ACCOUNT_PROGRAM);
  const amount = '1';
  await stage.control('localnet_faucet', { address: payment.wallet_address, token: 'USDC', amount });
  await stage.passBlockhashes();
  const second = await stage.build(payment, alice);
  expect(programsOf(second.json.transaction)).not.toContain(TOKEN_ACCOUNT_PROGRAM);
  expect(programsOf(second.json.transaction).slice(0, 2)).toEqual([
    COMPUTE_BUDGET_PROGRAM,
    COMPUTE_BUDGET_PROGRAM,
  ]);
});

test('35: a frozen token account of the merchant is refused before anything is signed', async () => {
  const payment = await stage.payment();
  const token = { address: payment.wallet_address, token: 'USDC', amount: '1' };
  await stage.control('localnet_faucet', token);
  const address = stage.chain.tokenAccount(payment.wallet_address, 'USDC');
  const [account] = await stage.chain.accounts([address]);
  const data = Buffer.from(account?.data as Uint8Array);
  data[108] = 2;
  await stage.control('localnet_setAccount', {
    ...{ address, lamports: '2039280', owner: account?.owner, data: data.toString('base64') },
  });
  const { status, json } = await stage.build(payment, alice);
  expect([status, json.code, json.details.reason]).toEqual([
    ...[409, 'invalid_payment_state', 'merchant_account_frozen'],
  ]);
  expect(await stage.eventsOf(payment)).toEqual(['PaymentCreated']);
});

test('81: the first wallet binds; another conflicts until what was built can land no more', async () => {
  const payment = await stage.payment();
  const first = await stage.build(payment, alice);
  expect((await stage.build(payment, alice)).json).toEqual(first.json);
  const { status, json } = await stage.build(payment, bob);
  expect([status, json.code]).toEqual([409, 'wallet_mismatch']);
  expect(json.details).toEqual({ bound_wallet: `${alice.address.slice(0, 4)}…${alice.address.slice(-4)}` });
  await stage.passBlockhashes();
  const second = await stage.build(payment, bob);
  expect(second.json.fee_payer).toBe(bob.address);
  expect(await stage.build(payment, alice)).toMatchObject({ status: 409 });
});

test('of two wallets at the same moment one is bound', async () => {
  const payment = await stage.payment();
  const wallets = [alice, bob, alice, bob];
  const answers = await Promise.all(wallets.map((wallet) => stage.build(payment, wallet)));
  const built = answers.filter(({ status }) => status === 200);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
  expect(new Set(built.map(({ json }) => json.transaction)).size).toBe(1);
  expect(await stage.eventsOf(payment)).toEqual(['PaymentCreated', 'TransactionBuilt']);
});

test('a wallet that has sent the transaction by itself gets no second one, though its blockhash is dead', async () => {
  const payment = await stage.payment();
  const { json } = await stage.build(payment, alice);
  const wire = Buffer.from(stage.signed(json.transaction, alice), 'base64');
  await stage.chain.send(wire);
  while ((await stage.chain.transactionsOf(payment.reference, 0)).length === 0);
  await stage.passBlockhashes();
  expect(await stage.build(payment, alice)).toMatchObject({
    status: 409,
    json: { code: 'submission_in_flight' },
  });
});

test('a node that is behind the proof of death is not believed to show all that has landed', async () => {
  const payment = await stage.payment();
  const { json } = await stage.build(payment, alice);
  const behind = await stage.chain.slot();
  await stage.chain.send(Buffer.from(stage.signed(json.transaction, alice), 'base64'));
  while ((await stage.chain.transactionsOf(payment.reference, 0)).length === 0);
  await stage.passBlockhashes();
  const lookUp = jest.spyOn(stage.chain, 'transactionsOf');
  lookUp.mockImplementation(async (_, min_slot) => {
    if (min_slot > behind) throw new Unavailable('the chain', { reason: 'the node is behind' });
    return [];
  });
  expect((await stage.build(payment, alice)).status).toBe(503);
  lookUp.mockRestore();
  expect((await stage.build(payment, alice)).json.code).toBe('submission_in_flight');
  expect(await stage.eventsOf(payment)).toEqual(['PaymentCreated', 'TransactionBuilt']);
});

test('a wallet that has sent too little by itself may pay in full', async () => {
  const payment = await stage.payment('SOL');
  await stage.build(payment, alice);
  const { blockhash } = await stage.chain.latestBlockhash();
  const message = paymentMessage({
    ...{ customer: alice.address, fee_payer: alice.address, recipient: payment.wallet_address },
    ...{ token: null, amount: 1_000_000n, recent_blockhash: blockhash },
    reference: payment.reference,
    compute: { unit_limit: 60_000, unit_price: 0n },
  });
  await stage.chain.send(signedBy(message, alice));
  await stage.landed(base58(alice.sign(message)));
  await stage.passBlockhashes();
  expect((await stage.build(payment, alice)).status).toBe(200);
});

test('82: from expires_at on nothing is built, and who is blocked is refused before it is bound', async () => {
  const [late, payment] = [await stage.payment(), await stage.payment()];
  const mallory = await stage.customer();
  stage.blocked.add(mallory.address);
  const { status, json } = await stage.build(payment, mallory);
  expect([status, json.code, json.details]).toEqual([403, 'payment_blocked', { payment_id: payment.id }]);
  expect(await stage.eventsOf(payment)).toEqual(['PaymentCreated']);
  expect((await stage.build(payment, alice)).status).toBe(200);

  stage.context.advance(901_000);
  const expired = await stage.build(late, alice);
  stage.context.advance(-901_000);
  expect([expired.status, expired.json.code]).toEqual([410, 'payment_expired']);
});

test('a payment that there is not, and a body with no wallet, or with two', async () => {
  const unknown = { id: `pay_test_${'1'.repeat(22)}` } as Payment;
  expect((await stage.build(unknown, alice)).status).toBe(404);
  const payment = await stage.payment();
  expect(await stage.post(payment, 'build-transaction', {})).toMatchObject({
    status: 400,
    json: { code: 'missing_required_field' },
  });
  const two = { payer_wallet: alice.address, customer_wallet: bob.address };
  expect((await stage.post(payment, 'build-transaction', two)).status).toBe(400);
  const alias = await stage.post(payment, 'build-transaction', { customer_wallet: alice.address });
  expect(alias.json.fee_payer).toBe(alice.address);
});
