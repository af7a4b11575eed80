import { Unavailable, type EventStore } from '@tender/eventing';
import { TOKEN_PROGRAM } from '@tender/transactions';
import { freshTestWallet } from '@tender/transactions/testing';
import { CheckoutStage, type Wallet } from '../testing/checkout-stage';
import { fateOf, type Fate } from '../testing/payment-fates';
import { StandInTreasury } from '../testing/stand-in-treasury';

let stage: CheckoutStage;
let treasury: StandInTreasury;
let alice: Wallet;
let bob: Wallet;
let fate: Fate;
/** While set, the log takes no payment: as for a process that dies once an intent is confirmed. */
let no_payments = false;
const OWNER = {
  ...{ merchant_id: 'm1', merchant_name: 'Corner Shop', wallet: freshTestWallet().address },
  ...{ actor: 'key:k1', asker: { kind: 'key', key_id: 'k1' } as const },
};

beforeAll(async () => {
  stage = await CheckoutStage.start();
  treasury = new StandInTreasury(stage, await stage.customer());
  [alice, bob] = [await stage.customer(), await stage.customer()];
  fate = fateOf(stage.context);
  const { eventStore } = stage.context.runtime;
  const append = eventStore.append.bind(eventStore);
  eventStore.append = (...args: Parameters<EventStore['append']>) => {
    if (no_payments && args[0].startsWith('payment.')) throw new Unavailable('log', {});
    return append(...args);
  };
});
afterAll(() => stage?.close());

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const send = (method: 'GET' | 'POST', path: string, body?: object, changes: object = {}) =>
  stage.context.send(method, `/api/v1${path}`, stage.context.caller({ ...OWNER, ...changes }), body);
const newIntent = async (body: object = {}): Promise<Json> =>
  (await send('POST', '/payment-intents', { amount: 10, ...body })).json;
const confirm = ({ id, client_secret }: Json, body: object = {}, changes: object = {}) =>
  send(
    'POST',
    `/payment-intents/${id}/confirm`,
    { customer_wallet: alice.address, client_secret, ...body },
    changes,
  );
const intentNow = async ({ id }: Json): Promise<Json> =>
  (await send('GET', `/payment-intents/${id}`)).json;
const paymentNow = async ({ payment_id }: Json): Promise<Json> =>
  (await send('GET', `/payments/${payment_id}/checkout-data`)).json;
const typesIn = async ({ id }: Json): Promise<string[]> =>
  (await stage.context.runtime.eventStore.load(`intent.test-${id}`)).map(({ type }) => type);
const historyOf = async ({ id }: Json): Promise<Json[]> =>
  (await send('GET', `/payment-intents/${id}/events`)).json;
const WAITING = ['PaymentIntentCreated', 'PaymentIntentRequiresPayment'];
const CONFIRMED = [...WAITING, 'PaymentIntentConfirmed'];

test('answers the intent, its payment and the transaction that pays it; paid, it has succeeded', async () => {
  const intent = await newIntent({ description: 'Order 42', metadata: { a: 1, b: 1 } });
  const { status, json } = await confirm(intent, { metadata: { b: 2 } });
  expect(status).toBe(200);
  const { client_secret: _, ...waiting } = intent;
  const { payment_id, next_action } = json;
  expect(json).toEqual({
    ...{ ...waiting, status: 'processing', metadata: { a: 1, b: 2 }, payment_type: 'direct' },
    payment_id: expect.stringMatching(/^pay_test_/) as string,
    payment_url: `http://pay.test/p/${payment_id}`,
    customer_wallet: alice.address,
    next_action: {
      ...{ type: 'sign_transaction', transaction: expect.any(String) as string },
      ...{ message: '10 USDC for Order 42', is_gasless: false, requires_backend_submission: false },
    },
  });
  expect((await send('GET', `/payments/${payment_id}`)).json).toMatchObject({
    ...{ payment_intent_id: intent.id, metadata: { a: 1, b: 2 }, description: 'Order 42' },
    ...{ amount_usd: 10, payment_token: 'USDC', status: 'pending', wallet_address: OWNER.wallet },
  });
  const payment = { id: payment_id } as never;
  const bobs = await stage.build(payment, bob);
  expect([bobs.status, bobs.json.code]).toEqual([409, 'wallet_mismatch']);
  const signed = stage.signed(next_action.transaction, alice);
  const submitted = await stage.submit(payment, signed);
  expect((await stage.landed(submitted.json.transaction_signature)).failed).toBe(false);

  await fate.confirm(await paymentNow(json));
  await stage.context.settle();
  const paid = await intentNow(intent);
  expect(paid).toMatchObject({ status: 'succeeded', transaction_signature: `S-${payment_id}` });
  const history = await historyOf(intent);
  expect(history.map(({ event_type, data }) => [event_type, data.status])).toEqual([
    ['PaymentIntentCreated', 'requires_payment'],
    ['PaymentIntentRequiresPayment', 'requires_payment'],
    ['PaymentIntentSucceeded', 'succeeded'],
  ]);
  expect(history.at(-1)?.data).toEqual(paid);
});

test.each([
  ['payment_expired', () => fate.expire],
  ['payment_failed', () => fate.fail],
])('where its payment ends without money it has failed: %s', async (failure_reason, how) => {
  const intent = await newIntent();
  const confirmed = await confirm(intent);
  await how()(await paymentNow(confirmed.json));
  await stage.context.settle();
  expect(await intentNow(intent)).toMatchObject({ status: 'failed', failure_reason });
  const last = (await historyOf(intent)).at(-1);
  expect([last?.event_type, last?.data.failure_reason]).toEqual(['PaymentIntentFailed', failure_reason]);
});

test.each([
  ['payment_type gasless', { payment_type: 'gasless' }],
  ['auto_gasless', { auto_gasless: true }],
])('%s: the service pays the fee; where no sponsor can be had, the wallet does', async (_, body) => {
  const { json } = await confirm(await newIntent(), body);
  const gasless = { is_gasless: true, requires_backend_submission: true };
  expect(json).toMatchObject({ next_action: gasless });
  const signed_transaction = stage.signed(json.next_action.transaction, alice);
  const payment = { id: json.payment_id } as never;
  const submitted = await stage.post(payment, 'submit-gasless-transaction', { signed_transaction });
  const landed = await stage.landed(submitted.json.transaction_signature);
  expect([landed.failed, landed.fee_payer]).toEqual([false, treasury.sponsor.address]);

  treasury.closed = true;
  const closed = await confirm(await newIntent(), body);
  treasury.closed = false;
  expect(closed.json.next_action).toMatchObject({ is_gasless: false });
});

test('ten confirms at once, for two wallets, are one payment; the answers to the others name it', async () => {
  const intent = await newIntent();
  const wallets = [alice, bob];
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      confirm(intent, { customer_wallet: wallets[n % 2]?.address }),
    ),
  );
  const [won, ...more] = answers.filter(({ status }) => status === 200);
  expect(more).toEqual([]);
  const { payment_id, payment_url } = won?.json;
  for (const { status, json } of answers.filter((answer) => answer !== won)) {
    expect([status, json.code]).toEqual([409, 'invalid_intent_state']);
    expect(json.details).toEqual({ status: 'processing', payment_id, payment_url });
  }
  expect(await typesIn(intent)).toEqual(CONFIRMED);
  await stage.context.settle();
  const { json } = await send('GET', '/payments?limit=100');
  expect(json.data.filter((one: Json) => one.payment_intent_id === intent.id)).toHaveLength(1);
});

test('the repeat of a confirm is answered as it was, whatever fraud and treasury say by now', async () => {
  const intent = await newIntent();
  const body = { payment_type: 'gasless' };
  const repeat = { command_id: 'c-repeat' };
  const first = await confirm(intent, body, repeat);
  stage.blocked.add(alice.address);
  treasury.closed = true;
  const again = await confirm(intent, body, repeat);
  stage.blocked.clear();
  treasury.closed = false;
  expect([again.status, again.text]).toEqual([200, first.text]);
  const changed = await confirm(intent, body, { ...repeat, body_hash: 'another body' });
  expect([changed.status, changed.json.code]).toEqual([409, 'idempotency_key_reused']);
  await fate.confirm(await paymentNow(first.json));
  await stage.context.settle();
  expect((await confirm(intent, body, repeat)).json).toEqual({ ...first.json, next_action: null });
});

test('a process that dies between the confirm and the payment leaves one payment, and the repeat gets it', async () => {
  const intent = await newIntent();
  const repeat = { command_id: 'c-dies' };
  no_payments = true;
  const died = await confirm(intent, {}, repeat);
  expect([died.status, await typesIn(intent)]).toEqual([503, CONFIRMED]);
  no_payments = false;
  const log = await stage.context.runtime.eventStore.load(`intent.test-${intent.id}`);
  const { payment_id } = (log.at(-1)?.data as Json).paid_by;
  const made = () => send('GET', `/payments/${payment_id}`);
  while ((await made()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  const again = await confirm(intent, {}, repeat);
  expect([again.status, again.json.payment_id]).toEqual([200, payment_id]);
  expect(again.json.next_action.transaction).toEqual(expect.any(String));
  const happened = await stage.context.runtime.eventStore.load(`payment.test-${payment_id}`);
  expect(happened.map(({ type, metadata }) => [type, metadata.actor])).toEqual([
    ['PaymentCreated', 'key:k1'],
    ['TransactionBuilt', 'key:k1'],
  ]);
});

test('a blocked wallet is 403 and the intent stays as it was; another wallet may pay', async () => {
  const intent = await newIntent();
  stage.blocked.add(bob.address);
  stage.screened.length = 0;
  const blocked = await confirm(intent, { customer_wallet: bob.address });
  stage.blocked.clear();
  expect([blocked.status, blocked.json.code]).toEqual([403, 'payment_blocked']);
  const { payment_id } = blocked.json.details;
  expect(stage.screened).toMatchObject([
    { stage: 'create', is_to_be_stored: true, customer_wallet: null, client_address: '192.0.2.1' },
    { stage: 'build', is_to_be_stored: true, customer_wallet: bob.address, client_address: null },
  ]);
  expect((await send('GET', `/payments/${payment_id}`)).status).toBe(404);
  expect(await typesIn(intent)).toEqual(WAITING);
  expect((await confirm(intent)).json).toMatchObject({ status: 'processing', payment_id });
});

test.each([
  ['the chain is away', {}, {}, [503, 'service_unavailable']],
  ['too much in USD', {}, { amount_max: 999 }, [422, 'amount_too_large']],
  ['no wallet to pay to', {}, { wallet: null }, [409, 'wallet_not_ready']],
  ['too many keys together', { metadata: { one: 1 } }, {}, [400, 'invalid_parameter']],
  ['no key to sign with', { customer_wallet: '' }, {}, [400, 'invalid_parameter']],
  ['another merchant', {}, { merchant_id: 'm2' }, [404, 'not_found']],
  ['the other mode', {}, { mode: 'live' }, [404, 'not_found']],
])('%s: nothing is written, and it can be confirmed later', async (what, body, changes, said) => {
  const keys = what.startsWith('too many') ? 50 : 1;
  const metadata = Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, n]));
  const intent = await newIntent({ metadata });
  const { chain } = stage;
  const { latestBlockhash } = chain;
  const away = () => Promise.reject(new Unavailable('chain', {}));
  if (what === 'the chain is away') Object.assign(chain, { latestBlockhash: away });
  const sent = 'customer_wallet' in body ? { customer_wallet: TOKEN_PROGRAM } : body;
  const { status, json } = await confirm(intent, sent, changes);
  Object.assign(chain, { latestBlockhash });
  expect([status, json.code]).toEqual(said);
  expect(await typesIn(intent)).toEqual(WAITING);
  expect((await confirm(intent)).status).toBe(200);
});
