import {
  base58,
  compileMessage,
  paymentMessage,
  readMessage,
  transferSol,
} from '@tender/transactions';
import { freshTestWallet, signedBy } from '@tender/transactions/testing';
import { CheckoutStage, messageIn, type Payment, type Wallet } from '../testing/checkout-stage';

let stage: CheckoutStage;
let alice: Wallet;
let bob: Wallet;
beforeAll(async () => {
  stage = await CheckoutStage.start();
  [alice, bob] = [await stage.customer(), await stage.customer()];
});
afterAll(() => stage?.close());

interface Built {
  readonly payment: Payment;
  readonly transaction: string;
  readonly signed: string;
  readonly signature: string;
}
async function built(wallet = alice): Promise<Built> {
  const payment = await stage.payment();
  const { transaction } = (await stage.build(payment, wallet)).json;
  const signature = base58(wallet.sign(messageIn(transaction)));
  return { payment, transaction, signed: stage.signed(transaction, wallet), signature };
}
const handIn = (payment: Payment, transaction_signature: string, more: object = {}) =>
  stage.post(payment, 'submit-transaction', { transaction_signature, ...more });
const codeOf = ({ status, json }: Awaited<ReturnType<typeof stage.post>>) => [
  ...[status, json.code],
  ...(json.details?.reason ? [json.details.reason] : []),
];
const randomSignature = () => base58(freshTestWallet().sign(Buffer.from('anything')));

describe('signed bytes', () => {
  test('are recorded, then sent; the same again is the same answer', async () => {
    const { payment, signed, signature } = await built();
    const first = await stage.submit(payment, signed);
    expect([first.status, first.json]).toEqual([
      200,
      {
        ...{ payment_id: payment.id, status: 'pending', verification: 'processing' },
        transaction_signature: signature,
      },
    ]);
    expect((await stage.landed(signature)).failed).toBe(false);
    expect((await stage.submit(payment, signed)).json).toEqual(first.json);
    expect(await stage.eventsOf(payment)).toEqual([
      ...['PaymentCreated', 'TransactionBuilt', 'TransactionSubmitted'],
    ]);
    expect(codeOf(await stage.build(payment, alice))).toEqual([409, 'submission_in_flight']);
  });

  test('78: twenty times at once are one submission', async () => {
    const { payment, signed, signature } = await built();
    const twenty = Array.from({ length: 20 }, () => stage.submit(payment, signed));
    const answers = await Promise.all(twenty);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const signatures = new Set(answers.map(({ json }) => json.transaction_signature));
    expect(signatures).toEqual(new Set([signature]));
    const events = await stage.eventsOf(payment);
    expect(events.filter((type) => type === 'TransactionSubmitted')).toHaveLength(1);
    await stage.landed(signature);
    expect(await stage.chain.transactionsOf(payment.reference, 0)).toHaveLength(1);
  });

  test.each([
    ['of another amount', 'instruction_changed', 1n],
    ['to another wallet', 'instruction_changed', null],
  ])('S23: a transfer %s is refused with %s', async (_, reason, more) => {
    const { payment, transaction } = await built();
    const { instructions, ...plan } = readMessage(messageIn(transaction));
    const transfer = instructions.at(-1)!;
    const data = Buffer.from(transfer.data);
    if (more !== null) data.writeBigUInt64LE(data.readBigUInt64LE(1) - more, 1);
    const accounts = transfer.accounts.map((account, index) =>
      more === null && index === 2 ? { ...account, address: bob.address } : account,
    );
    const changed = compileMessage({
      ...plan,
      instructions: [...instructions.slice(0, -1), { ...transfer, data, accounts }],
    });
    const wire = Buffer.from(signedBy(changed, alice)).toString('base64');
    expect(codeOf(await stage.submit(payment, wire))).toEqual([400, 'invalid_transaction', reason]);
    expect(await stage.eventsOf(payment)).not.toContain('TransactionSubmitted');
  });

  test('94, S23: an instruction more, another signer, no signature', async () => {
    const { payment, transaction } = await built();
    const { instructions, ...plan } = readMessage(messageIn(transaction));
    const longer = compileMessage({
      ...plan,
      instructions: [...instructions, transferSol(alice.address, bob.address, 1n)],
    });
    const wire = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
    const refusals = [
      [wire(signedBy(longer, alice)), 'instruction_set_changed'],
      [transaction, 'bad_customer_signature'],
    ] as const;
    for (const [sent, reason] of refusals) {
      expect(codeOf(await stage.submit(payment, sent))).toEqual([400, 'invalid_transaction', reason]);
    }
  });

  test.each([
    ['nothing', ''],
    ['text that is no base64', 'not base64!'],
    ['bytes that are no transaction', 'AAAA'],
    ['a byte more than a packet holds', Buffer.alloc(1233, 1).toString('base64')],
  ])('77, 95: %s is 400', async (_, sent) => {
    const { payment } = await built();
    expect(codeOf(await stage.submit(payment, sent))).toEqual([
      ...[400, 'invalid_transaction', 'malformed_transaction'],
    ]);
  });

  test('of a payment for which nothing was built', async () => {
    const payment = await stage.payment();
    const { signed } = await built();
    expect(codeOf(await stage.submit(payment, signed))).toEqual([400, 'invalid_transaction', 'not_built']);
  });

  test('that would fail are not sent, and end nothing', async () => {
    const poor = freshTestWallet();
    const amount = '100000000';
    await stage.control('localnet_faucet', { address: poor.address, token: 'SOL', amount });
    const { payment, signed } = await built(poor);
    expect(codeOf(await stage.submit(payment, signed))).toEqual([400, 'invalid_transaction', 'would_fail']);
    expect(await stage.eventsOf(payment)).toEqual(['PaymentCreated', 'TransactionBuilt']);
    await stage.control('localnet_faucet', { address: poor.address, token: 'USDC', amount });
    expect((await stage.submit(payment, signed)).status).toBe(200);
  });

  test('less SOL than an empty wallet must hold is not sent, and can be paid once the merchant’s holds some', async () => {
    const wallet = freshTestWallet().address;
    const caller = stage.context.caller({ merchant_id: 'kiosk', merchant_name: 'Kiosk', wallet });
    const order = { amount: 0.01, token: 'SOL' };
    const payment: Payment = (await stage.context.send('POST', '/api/v1/payments', caller, order)).json;
    expect(payment.token_amount).toBe('66667');
    const signed = stage.signed((await stage.build(payment, alice)).json.transaction, alice);
    expect(codeOf(await stage.submit(payment, signed))).toEqual([400, 'invalid_transaction', 'would_fail']);
    expect(await stage.eventsOf(payment)).toEqual(['PaymentCreated', 'TransactionBuilt']);
    await stage.control('localnet_faucet', { address: wallet, token: 'SOL', amount: '1000000' });
    expect((await stage.submit(payment, signed)).status).toBe(200);
  });

  test('that the wallet has sent by itself are taken, too', async () => {
    const { payment, signed, signature } = await built();
    await stage.chain.send(Buffer.from(signed, 'base64'));
    await stage.landed(signature);
    expect((await stage.submit(payment, signed)).status).toBe(200);
  });

  test('83: what was lost on the way holds up another build until it can land no more', async () => {
    const { payment, signed } = await built();
    await stage.control('localnet_dropNextSend', { count: 1 });
    expect((await stage.submit(payment, signed)).status).toBe(200);
    expect(codeOf(await stage.build(payment, alice))).toEqual([409, 'submission_in_flight']);
    await stage.passBlockhashes();
    expect(codeOf(await stage.build(payment, bob))).toEqual([409, 'wallet_mismatch']);
    const again = await stage.build(payment, alice);
    expect(again.status).toBe(200);
    const second = await stage.submit(payment, stage.signed(again.json.transaction, alice));
    await stage.landed(second.json.transaction_signature);
    expect(await stage.chain.transactionsOf(payment.reference, 0)).toHaveLength(1);
  });

  test('whose blockhash is dead are refused', async () => {
    const { payment, signed } = await built();
    await stage.passBlockhashes();
    expect(codeOf(await stage.submit(payment, signed))).toEqual([
      ...[400, 'invalid_transaction', 'blockhash_expired'],
    ]);
  });

  test('a node that does not take them takes nothing away from what was recorded', async () => {
    const { payment, signed, signature } = await built();
    await stage.control('localnet_failRpc', { method: 'sendTransaction', count: 1, code: -32002 });
    const { status, json } = await stage.submit(payment, signed);
    expect([status, json.transaction_signature]).toEqual([200, signature]);
    expect(await stage.eventsOf(payment)).toContain('TransactionSubmitted');
  });
});

describe('a signature', () => {
  test('that no node knows yet is taken; what is none is not', async () => {
    const payment = await stage.payment();
    const signature = randomSignature();
    const { status, json } = await handIn(payment, signature);
    expect([status, json.verification, json.transaction_signature]).toEqual([200, 'processing', signature]);
    expect((await handIn(payment, signature)).status).toBe(200);
    const zeros = '1'.repeat(64);
    for (const none of ['', '1', zeros, 'x'.repeat(88), signature.repeat(2), alice.address]) {
      expect(codeOf(await handIn(payment, none))).toEqual([400, 'invalid_signature']);
    }
    expect(await stage.eventsOf(payment)).toEqual(['PaymentCreated', 'TransactionSubmitted']);
    expect((await stage.post(payment, 'submit-transaction', {})).status).toBe(400);
    const both = { transaction_signature: signature, signed_transaction: 'AAAA' };
    expect((await stage.post(payment, 'submit-transaction', both)).status).toBe(400);
  });

  test('of the bound wallet over what was built is known as ours, before the chain shows it', async () => {
    const { payment, signature } = await built();
    expect((await handIn(payment, signature)).status).toBe(200);
    const events = await stage.context.runtime.eventStore.load(`payment.test-${payment.id}`);
    expect(events.at(-1)?.data).toMatchObject({
      submission: { is_ours: true, customer_wallet: alice.address, signed_transaction: null },
    });
  });

  test('28, 93: belongs to one payment, however many are handed it at once', async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => stage.payment()));
    const signature = randomSignature();
    const answers = await Promise.all(payments.map((payment) => handIn(payment, signature)));
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    const others = answers.filter((answer) => answer !== taken[0]);
    expect(new Set(others.map(({ json }) => json.code))).toEqual(new Set(['signature_already_used']));
  });

  test('of the bound wallet is of its payment, though a stranger has handed it in for another', async () => {
    const [{ payment, signature }, strangers] = [await built(), await stage.payment()];
    expect((await handIn(strangers, signature)).status).toBe(200);
    expect((await handIn(payment, signature)).status).toBe(200);
    const events = await stage.context.runtime.eventStore.load(`payment.test-${payment.id}`);
    expect(events.at(-1)?.data).toMatchObject({ submission: { is_ours: true } });
  });

  test('28: of what has paid another payment is of no other', async () => {
    const [{ payment, signed, signature }, other] = [await built(), await stage.payment()];
    await stage.submit(payment, signed);
    await stage.landed(signature);
    expect(codeOf(await handIn(other, signature))).toEqual([409, 'signature_already_used']);
  });

  test('of a transaction on the chain that does not name the payment is refused', async () => {
    const payment = await stage.payment();
    const { signature } = await stage.control<{ signature: string }>('localnet_faucet', {
      ...{ address: alice.address, token: 'SOL', amount: '1' },
    });
    await stage.landed(signature);
    expect(codeOf(await handIn(payment, signature))).toEqual([
      ...[400, 'invalid_transaction', 'reference_missing'],
    ]);
  });

  test('36: of another wallet than the bound one conflicts; the money counts all the same', async () => {
    const { payment } = await built();
    const bobs = await handIn(payment, randomSignature(), { customer_wallet: bob.address });
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
    expect(codeOf(await handIn(payment, signature))).toEqual([409, 'wallet_mismatch']);
  });
});

test('82: from expires_at on nothing is taken, but the same again is answered', async () => {
  const { payment, signed } = await built();
  const late = await built();
  expect((await stage.submit(payment, signed)).status).toBe(200);
  stage.context.advance(901_000);
  const answers = [
    await stage.submit(payment, signed),
    await stage.submit(late.payment, late.signed),
    await handIn(late.payment, randomSignature()),
  ];
  stage.context.advance(-901_000);
  expect(answers.map(({ status }) => status)).toEqual([200, 410, 410]);
});

test('what the indexer reports as failed fails the payment', async () => {
  const { payment, signature } = await built();
  await handIn(payment, signature);
  await stage.context.say(`watch.test-${payment.id}`, 'chain-indexer.submission-failed.v1', {
    ...{ payment_id: payment.id, merchant_id: 'm1', customer_wallet: alice.address },
    ...{ transaction_signature: signature, slot: 42, reason: 'failed_on_chain' },
  });
  await stage.context.settle();
  const events = await stage.context.runtime.eventStore.load(`payment.test-${payment.id}`);
  expect(events.at(-1)?.data).toMatchObject({ transaction_signature: signature, slot: 42 });
  expect((await stage.eventsOf(payment)).at(-1)).toBe('PaymentFailed');
  expect(codeOf(await stage.build(payment, alice))).toEqual([409, 'invalid_payment_state']);
  expect((await handIn(payment, signature)).json.status).toBe('failed');
});
