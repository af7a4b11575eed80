import { changedMessage, signedBy } from '@tender/transactions/testing';
import { CheckoutStage, messageIn, type Payment, type Wallet } from '../testing/checkout-stage';

// As in live mode: only what is final pays.
let stage: CheckoutStage;
let alice: Wallet;
beforeAll(async () => {
  stage = await CheckoutStage.start('finalized');
  alice = await stage.customer();
});
afterAll(() => stage?.close());

/** What was built is dead, and the wallet has signed it over a blockhash of its own, which is alive. */
async function replaced(payment: Payment): Promise<Uint8Array> {
  const { json } = await stage.build(payment, alice);
  await stage.passSlots(120);
  const { blockhash: recent_blockhash } = await stage.chain.latestBlockhash();
  await stage.passSlots(100);
  return signedBy(changedMessage(messageIn(json.transaction), { recent_blockhash }), alice);
}
async function confirmed(payment: Payment, count: number) {
  const found = () => stage.chain.transactionsOf(payment.reference, 0, 'confirmed');
  while ((await found()).length < count);
  return found();
}

test('what a wallet has sent over a blockhash of its own is under way before it is final', async () => {
  const payment = await stage.payment();
  await stage.chain.send(await replaced(payment));
  const [landed] = await confirmed(payment, 1);
  expect(await stage.build(payment, alice)).toMatchObject({
    ...{ status: 409, json: { code: 'submission_in_flight' } },
    json: { details: { transaction_signature: landed?.signature } },
  });
});

test('what it sends after another was built lands as well: two credits, each with the reference', async () => {
  const payment = await stage.payment();
  const held_back = await replaced(payment);
  const { status, json } = await stage.build(payment, alice);
  expect(status).toBe(200);
  expect((await stage.submit(payment, stage.signed(json.transaction, alice))).status).toBe(200);
  await stage.chain.send(held_back);
  const due = payment.token_amount;
  const credits = (await confirmed(payment, 2)).map(({ changes }) =>
    changes.find(({ owner }) => owner === payment.wallet_address)?.delta.toString(),
  );
  expect(credits).toEqual([due, due]);
});
