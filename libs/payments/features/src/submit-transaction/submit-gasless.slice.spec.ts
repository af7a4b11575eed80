import { freshTestWallet } from '@tender/transactions/testing';
import { CheckoutStage, type Payment, type Wallet } from '../testing/checkout-stage';
import { StandInTreasury } from '../testing/stand-in-treasury';

let stage: CheckoutStage;
let treasury: StandInTreasury;
let alice: Wallet;
beforeAll(async () => {
  stage = await CheckoutStage.start();
  treasury = new StandInTreasury(stage, await stage.customer());
  alice = await customerWithoutSol();
});
afterAll(() => stage?.close());
beforeEach(() => {
  treasury.closed = false;
  treasury.out_of_reach = false;
  treasury.refusal = null;
  treasury.has_signed = false;
  treasury.asked = 0;
});

async function customerWithoutSol(): Promise<Wallet> {
  const wallet = freshTestWallet();
  for (const token of ['USDC', 'USDT']) {
    const amount = '100000000';
    await stage.control('localnet_faucet', { address: wallet.address, token, amount });
  }
  return wallet;
}
async function built(token: 'USDC' | 'USDT' | 'SOL' = 'USDC', wallet = alice) {
  const payment = await stage.payment(token);
  const { json } = await stage.build(payment, wallet, { prefer_gasless: true });
  return { payment, answer: json, signed: stage.signed(json.transaction, wallet) };
}
/** Until it is restored nothing more is recorded of payments. */
function deathAtPayments() {
  const { eventStore } = stage.context.runtime;
  const append = eventStore.append.bind(eventStore);
  return jest.spyOn(eventStore, 'append').mockImplementation((stream, ...rest) => {
    if (stream.startsWith('payment.')) throw new Error('killed');
    return append(stream, ...rest);
  });
}
const submit = (payment: Payment, signed_transaction: string) =>
  stage.post(payment, 'submit-gasless-transaction', { signed_transaction });

test.each(['USDC', 'USDT', 'SOL'] as const)('76: in %s, by a customer who pays no fee', async (token) => {
  const wallet = token === 'SOL' ? await stage.customer() : alice;
  const { payment, answer, signed } = await built(token, wallet);
  expect(answer).toMatchObject({
    ...{ is_gasless: true, requires_backend_submission: true },
    fee_payer: treasury.sponsor.address,
  });
  const { status, json } = await submit(payment, signed);
  expect([status, json.verification]).toEqual([200, 'processing']);
  const landed = await stage.landed(json.transaction_signature);
  expect([landed.failed, landed.fee_payer]).toEqual([false, treasury.sponsor.address]);
  expect(await stage.eventsOf(payment)).toEqual([
    ...['PaymentCreated', 'TransactionBuilt', 'TransactionSubmitted'],
  ]);
});

test('78: twenty times at once are one transaction, and the same again is the same answer', async () => {
  const { payment, signed } = await built();
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(payment, signed)));
  const signatures = new Set(answers.map(({ json }) => json.transaction_signature));
  expect([...new Set(answers.map(({ status }) => status)), signatures.size]).toEqual([200, 1]);
  const asked = treasury.asked;
  expect((await submit(payment, signed)).status).toBe(200);
  expect(treasury.asked).toBe(asked);
  const submitted = (await stage.eventsOf(payment)).filter((type) => type === 'TransactionSubmitted');
  expect(submitted).toHaveLength(1);
});

test('where no sponsor can be had the customer pays the fee; so in an outage of treasury', async () => {
  treasury.closed = true;
  const { answer } = await built();
  expect(answer).toMatchObject({ is_gasless: false, fee_payer: alice.address });
});

test('a quota that is spent between build and submit', async () => {
  const { payment, signed } = await built();
  treasury.refusal = 'gasless_unavailable';
  const { status, json, headers } = await submit(payment, signed);
  expect([status, json.code, headers['retry-after']]).toEqual([503, 'gasless_unavailable', '60']);
  expect(await stage.eventsOf(payment)).not.toContain('TransactionSubmitted');
});

test('who gets no sponsor after all pays the fee at once; not where one has signed', async () => {
  const payer = await stage.customer();
  const other = await built('USDC', payer);
  treasury.has_signed = true;
  const refused = await stage.build(other.payment, payer);
  expect([refused.status, refused.json.code]).toEqual([409, 'submission_in_flight']);
  treasury.has_signed = false;
  const direct = await stage.build(other.payment, payer);
  expect(direct.json).toMatchObject({ is_gasless: false, fee_payer: payer.address });
  expect(await submit(other.payment, other.signed)).toMatchObject({
    ...{ status: 400, json: { details: { reason: 'not_gasless' } } },
  });
  const signed = stage.signed(direct.json.transaction, payer);
  expect((await stage.submit(other.payment, signed)).status).toBe(200);
});

test('a death between the end of an offer and the build that takes its place: the next build is good', async () => {
  const { payment, signed } = await built();
  const killed = deathAtPayments();
  expect((await stage.build(payment, alice)).status).toBe(500);
  killed.mockRestore();
  expect((await submit(payment, signed)).json.details.reason).toBe('not_offered');
  const { json } = await stage.build(payment, alice, { prefer_gasless: true });
  expect(json.is_gasless).toBe(true);
  expect((await submit(payment, stage.signed(json.transaction, alice))).status).toBe(200);
});

test('an offer that was withdrawn, with no other to be had: the customer pays the fee at once', async () => {
  const { payment } = await built();
  const killed = deathAtPayments();
  expect((await stage.build(payment, alice)).status).toBe(500);
  killed.mockRestore();
  treasury.closed = true;
  const { json } = await stage.build(payment, alice, { prefer_gasless: true });
  expect(json).toMatchObject({ is_gasless: false, fee_payer: alice.address });
});

test('a gasless build stays the same while it stands, and while treasury is out of reach', async () => {
  const { payment, answer } = await built();
  treasury.closed = true;
  expect((await stage.build(payment, alice, { prefer_gasless: true })).json).toEqual(answer);
  treasury.out_of_reach = true;
  expect((await stage.build(payment, alice, { prefer_gasless: true })).json).toEqual(answer);
});

test.each([
  ['invalid_transaction', 400],
  ['submission_in_flight', 409],
  ['payment_expired', 410],
] as const)('what treasury refuses with %s', async (refusal, status) => {
  const { payment, signed } = await built();
  treasury.refusal = refusal;
  expect(await submit(payment, signed)).toMatchObject({ status, json: { code: refusal } });
});

test('what is no gasless transaction never reaches treasury', async () => {
  const direct = await stage.payment();
  const { json } = await stage.build(direct, alice);
  const gasless = await built();
  const other = await built();
  const none = await stage.payment();
  const cases = [
    [direct, stage.signed(json.transaction, alice), 'not_gasless'],
    [none, gasless.signed, 'not_built'],
    [gasless.payment, 'AAAA', 'malformed_transaction'],
    [gasless.payment, gasless.answer.transaction, 'bad_customer_signature'],
    // Of another payment: another transfer, and another blockhash where a block came between.
    [gasless.payment, other.signed, expect.stringMatching('instruction_changed|blockhash_mismatch')],
  ] as const;
  for (const [payment, sent, reason] of cases) {
    expect(await submit(payment, sent)).toMatchObject({
      ...{ status: 400, json: { code: 'invalid_transaction', details: { reason } } },
    });
  }
  expect(treasury.asked).toBe(0);
  const elsewhere = await stage.submit(gasless.payment, gasless.signed);
  expect(elsewhere).toMatchObject({ status: 400 });
});

test('82: from expires_at on nothing is signed', async () => {
  const { payment, signed } = await built();
  stage.context.advance(901_000);
  const { status, json } = await submit(payment, signed);
  stage.context.advance(-901_000);
  expect([status, json.code, treasury.asked]).toEqual([410, 'payment_expired', 0]);
});

test('a death after the sponsor has sent it: the repeat finds the same transaction', async () => {
  const { payment, signed } = await built();
  const killed = deathAtPayments();
  expect((await submit(payment, signed)).status).toBe(500);
  killed.mockRestore();
  const { status, json } = await submit(payment, signed);
  expect(status).toBe(200);
  expect(await stage.eventsOf(payment)).toContain('TransactionSubmitted');
  await stage.landed(json.transaction_signature);
  expect(await stage.chain.transactionsOf(payment.reference, 0)).toHaveLength(1);
});
