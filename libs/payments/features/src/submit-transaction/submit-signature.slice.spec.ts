import { base58, paymentMessage } from '@tender/transactions';
import { freshTestWallet, signedBy } from '@tender/transactions/testing';
import { CheckoutStage, codeOf, type Wallet } from '../testing/checkout-stage';

let stage: CheckoutStage;
let alice: Wallet;
let bob: Wallet;
beforeAll(async () => {
  stage = await CheckoutStage.start();
  [alice, bob] = [await stage.customer(), await stage.customer()];
});
afterAll(() => stage?.close());

const randomSignature = () => base58(freshTestWallet().sign(Buffer.from('anything')));

describe('a signature', () => {
  test('that no node knows yet is taken; what is none is not', async () => {
    const payment = await stage.payment();
    const signature = randomSignature();
    const { status, json } = await stage.handIn(payment, signature);
    expect([status, json.verification, json.transaction_signature]).toEqual([200, 'processing', signature]);
    expect((await stage.handIn(payment, signature)).status).toBe(200);
    const zeros = '1'.repeat(64);
    for (const none of ['', '1', zeros, 'x'.repeat(88), signature.repeat(2), alice.address]) {
      expect(codeOf(await stage.handIn(payment, none))).toEqual([400, 'invalid_signature']);
    }
    expect(await stage.eventsOf(payment)).toEqual(['PaymentCreated', 'TransactionSubmitted']);
    expect((await stage.post(payment, 'submit-transaction', {})).status).toBe(400);
    const both = { transaction_signature: signature, signed_transaction: 'AAAA' };
    expect((await stage.post(payment, 'submit-transaction', both)).status).toBe(400);
  });

  test('of the bound wallet over what was built is known as ours, before the chain shows it', async () => {
    const { payment, signature } = await stage.built(alice);
    expect((await stage.handIn(payment, signature)).status).toBe(200);
    const events = await stage.context.runtime.eventStore.load(`payment.test-${payment.id}`);
    expect(events.at(-1)?.data).toMatchObject({
      submission: { is_ours: true, customer_wallet: alice.address, signed_transaction: null },
    });
  });

  test('28, 93: belongs to one payment, however many are handed it at once', async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => stage.payment()));
    const signature = randomSignature();
    const answers = await Promise.all(payments.map((payment) => stage.handIn(payment, signature)));
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    const others = answers.filter((answer) => answer !== taken[0]);
    expect(new Set(others.map(({ json }) => json.code))).toEqual(new Set(['signature_already_used']));
  });

  test('of the bound wallet is of its payment, though a stranger has handed it in for another', async () => {
    const { payment, signature } = await stage.built(alice);
    const strangers = await stage.payment();
    expect((await stage.handIn(strangers, signature)).status).toBe(200);
    expect((await stage.handIn(payment, signature)).status).toBe(200);
    const events = await stage.context.runtime.eventStore.load(`payment.test-${payment.id}`);
    expect(events.at(-1)?.data).toMatchObject({ submission: { is_ours: true } });
  });

  test('28: of what has paid another payment is of no other', async () => {
    const { payment, signed, signature } = await stage.built(alice);
    const other = await stage.payment();
    await stage.submit(payment, signed);
    await stage.landed(signature);
    expect(codeOf(await stage.handIn(other, signature))).toEqual([409, 'signature_already_used']);
  });

  test('of a transaction on the chain that does not name the payment is refused', async () => {
    const payment = await stage.payment();
    const { signature } = await stage.control<{ signature: string }>('localnet_faucet', {
      ...{ address: alice.address, token: 'SOL', amount: '1' },
    });
    await stage.landed(signature);
    expect(codeOf(await stage.handIn(payment, signature))).toEqual([
      ...[400, 'invalid_transaction', 'reference_missing'],
    ]);
  });

  test('36: of another wallet than the bound one conflicts; the money counts all the same', async () => {
    const { payment } = await stage.built(alice);
    const bobs = await stage.handIn(payment, randomSignature(), { customer_wallet: bob.address });
    expect(codeOf(bobs)).toEqual([409, 'wallet_mismatch']);
    const { blockhash } = await stage.chain.latestBlockhash();
    const message = paymentMessage({
      ...{ customer: bob.address, fee_payer: bob.address, recipient: payment.wallet_address },
      ...{ token: null, amount: 5_000_000n, recent_blockhash: blockhash },
      reference: payment.reference,
      compute: { unit_limit: 60_000, unit_price: 0n },
    });
    await stage.chain.send(signedBy(message, bob));
    const signature = base58(bob.sign(message));
    await stage.landed(signature);
    expect(codeOf(await stage.handIn(payment, signature))).toEqual([409, 'wallet_mismatch']);
  });
});

test('82: from expires_at on nothing is taken, but the same again is answered', async () => {
  const { payment, signed } = await stage.built(alice);
  const late = await stage.built(alice);
  expect((await stage.submit(payment, signed)).status).toBe(200);
  stage.context.advance(901_000);
  const answers = [
    await stage.submit(payment, signed),
    await stage.submit(late.payment, late.signed),
    await stage.handIn(late.payment, randomSignature()),
  ];
  stage.context.advance(-901_000);
  expect(answers.map(({ status }) => status)).toEqual([200, 410, 410]);
});

test('what the indexer reports as failed fails the payment', async () => {
  const { payment, signature } = await stage.built(alice);
  await stage.handIn(payment, signature);
  await stage.context.say(`watch.test-${payment.id}`, 'chain-indexer.submission-failed.v1', {
    ...{ payment_id: payment.id, merchant_id: 'm1', customer_wallet: alice.address },
    ...{ transaction_signature: signature, slot: 42, reason: 'failed_on_chain' },
  });
  await stage.context.settle();
  const events = await stage.context.runtime.eventStore.load(`payment.test-${payment.id}`);
  expect(events.at(-1)?.data).toMatchObject({ transaction_signature: signature, slot: 42 });
  expect((await stage.eventsOf(payment)).at(-1)).toBe('PaymentFailed');
  expect(codeOf(await stage.build(payment, alice))).toEqual([409, 'invalid_payment_state']);
  expect((await stage.handIn(payment, signature)).json.status).toBe('failed');
});
