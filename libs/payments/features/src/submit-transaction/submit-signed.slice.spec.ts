import { compileMessage, readMessage, transferSol } from '@tender/transactions';
import { freshTestWallet, signedBy } from '@tender/transactions/testing';
import { CheckoutStage, codeOf, messageIn, type Payment, type Wallet } from '../testing/checkout-stage';

let stage: CheckoutStage;
let alice: Wallet;
let bob: Wallet;
beforeAll(async () => {
  stage = await CheckoutStage.start();
  [alice, bob] = [await stage.customer(), await stage.customer()];
});
afterAll(() => stage?.close());

describe('signed bytes', () => {
  test('are recorded, then sent; the same again is the same answer', async () => {
    const { payment, signed, signature } = await stage.built(alice);
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
    const { payment, signed, signature } = await stage.built(alice);
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
    const { payment, transaction } = await stage.built(alice);
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
    const { payment, transaction } = await stage.built(alice);
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
    const { payment } = await stage.built(alice);
    expect(codeOf(await stage.submit(payment, sent))).toEqual([
      ...[400, 'invalid_transaction', 'malformed_transaction'],
    ]);
  });

  test('of a payment for which nothing was built', async () => {
    const payment = await stage.payment();
    const { signed } = await stage.built(alice);
    expect(codeOf(await stage.submit(payment, signed))).toEqual([400, 'invalid_transaction', 'not_built']);
  });

  test('that would fail are not sent, and end nothing', async () => {
    const poor = freshTestWallet();
    const amount = '100000000';
    await stage.control('localnet_faucet', { address: poor.address, token: 'SOL', amount });
    const { payment, signed } = await stage.built(poor);
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
    const { payment, signed, signature } = await stage.built(alice);
    await stage.chain.send(Buffer.from(signed, 'base64'));
    await stage.landed(signature);
    expect((await stage.submit(payment, signed)).status).toBe(200);
  });

  test('83: what was lost on the way holds up another build until it can land no more', async () => {
    const { payment, signed } = await stage.built(alice);
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
    const { payment, signed } = await stage.built(alice);
    await stage.passBlockhashes();
    expect(codeOf(await stage.submit(payment, signed))).toEqual([
      ...[400, 'invalid_transaction', 'blockhash_expired'],
    ]);
  });

  test('a node that does not take them takes nothing away from what was recorded', async () => {
    const { payment, signed, signature } = await stage.built(alice);
    await stage.control('localnet_failRpc', { method: 'sendTransaction', count: 1, code: -32002 });
    const { status, json } = await stage.submit(payment, signed);
    expect([status, json.transaction_signature]).toEqual([200, signature]);
    expect(await stage.eventsOf(payment)).toContain('TransactionSubmitted');
  });
});
