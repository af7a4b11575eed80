/**
 * @landing embedded postgres
 * @program own
 */
// What a customer has begun to pay outlives the processes that take it, wherever they die.
import { callRpc } from '@tender/localnet';
import { idempotencyKey } from '../harness/client';
import { eventually } from '../harness/eventually';
import { brokenInvariants } from '../harness/invariants';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { storedEvents } from '../harness/stored-events';
import { signedTransaction } from './checkout/customer-wallet';
import { customersOf } from './checkout/customers';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

/** A payment that must end well, and what was built for it. */
interface Begun {
  readonly id: string;
  readonly reference: string;
  readonly is_gasless: boolean;
  readonly signed_transaction: string;
}

// One thread for all: the other stories of deaths have the second one.
const program = new Program({ WORK_THREAD: 'false' });
/** Comes again under its key until it is answered, as the checkout page does. */
const patient = program.client().patient();
const customers = customersOf(program, patient);
const begun: Begun[] = [];
let receiver: Receiver;
let merchant: Merchant;
let sponsors_lamports: bigint;

/** What the chain of test mode has of an address or a signature, where the program that runs now has its chains. */
async function onChain<Answer>(method: string, of: string): Promise<Answer> {
  const { rpc_url } = await network();
  return callRpc<Answer>(rpc_url, method, of, { commitment: 'confirmed' });
}

const network = async (): Promise<Json> =>
  (await program.admin().get('/api/v1/test_helpers/environment')).json.networks.test;

async function lamportsOfSponsor(): Promise<bigint> {
  const { fee_payer } = await network();
  return BigInt((await onChain<{ value: number }>('getBalance', fee_payer)).value);
}

beforeAll(async () => {
  receiver = await Receiver.start();
  await program.start({});
  merchant = await newMerchant(program, { webhook_url: receiver.url });
  // Its token account is there: the sponsor pays for none.
  const gift = { address: merchant.wallet, token: 'USDC', amount: 1 };
  expect((await program.admin().post('/api/v1/test_helpers/faucet', gift)).status).toBe(200);
  sponsors_lamports = await lamportsOfSponsor();
});
afterAll(async () => {
  await receiver?.close();
  await program.discard();
});

const newPayment = async (): Promise<Json> =>
  (await merchant.api.post('/api/v1/payments', { amount: 10 })).json;

/** Built for a customer who could pay twice, and signed. */
async function builtFor({ id }: { id: string }, prefer_gasless = false): Promise<Begun> {
  const payer = await customers.wallet({ USDC: 20, ...(prefer_gasless ? {} : { SOL: 1 }) });
  const built = await customers.build({ id }, payer, prefer_gasless);
  expect(built.is_gasless).toBe(prefer_gasless);
  const { reference, is_gasless } = built;
  const one = { id, reference, is_gasless, signed_transaction: signedTransaction(built, payer) };
  begun.push(one);
  return one;
}

const submission = ({ is_gasless }: Begun) =>
  is_gasless ? 'submit-gasless-transaction' : 'submit-transaction';

/** The customer hands it in until there is an answer. */
async function handIn(one: Begun): Promise<void> {
  const { signed_transaction } = one;
  const answer = await customers.act(one, submission(one), { signed_transaction });
  expect([answer.status, answer.json.code]).toEqual([200, undefined]);
}

/** Types of the events in streams of that noun, by stream. */
async function logged(noun: 'payment' | 'link' | 'sponsorship'): Promise<Map<string, string[]>> {
  const streams = new Map<string, string[]>();
  for (const { stream, type } of await storedEvents(program, `${noun}.test`)) {
    streams.set(stream, [...(streams.get(stream) ?? []), type]);
  }
  return streams;
}

/** Of all that the sponsor has signed it is known what became of it. */
async function sponsoredEnded(): Promise<void> {
  const sponsored = begun.filter(({ is_gasless }) => is_gasless).length;
  await eventually(
    async () => [...(await logged('sponsorship')).values()].flat(),
    (types) => types.filter((type) => type === 'SponsoredTransactionEnded').length === sponsored,
  );
}

test('the sponsor has sent it when all die, nothing else is recorded, and the customer never comes back', async () => {
  const one = await builtFor(await newPayment(), true);
  const dying = ['treasury', 'payments', 'gateway'];
  const before = program.deathsOf(dying);
  await program.strike(dying, 'send.after');
  const { signed_transaction } = one;
  const impatient = customersOf(program, patient.once());
  // Told to come again by a machine that is busy, the customer does, and not any more once one of them has died.
  const handOver = async () =>
    program.deathsOf(dying) > before
      ? null
      : impatient.act(one, submission(one), { signed_transaction }).catch(() => null);
  expect((await eventually(handOver, (answer) => answer?.status !== 503))?.status).not.toBe(200);
  await program.rises();
  expect((await customers.ended(one)).status).toBe('confirmed');
  expect((await logged('payment')).get(`payment.test-${one.id}`)).not.toContain('TransactionSubmitted');
});

test('a use of a link is held, its payment is not made, and another customer is about to sign', async () => {
  const terms = { amount: 10, max_uses: 2 };
  const link = (await merchant.api.post('/api/v1/payment-links', terms, idempotencyKey())).json;
  const signing = await builtFor(await newPayment());
  await program.strike(['payments', 'gateway'], 'append.after@link');
  const pay = (key = idempotencyKey()) =>
    patient.post(`/api/v1/payment-links/${link.link_code}/pay`, undefined, key);
  const key = idempotencyKey();
  const [first] = await Promise.all([pay(key), program.rises()]);
  await handIn(signing);

  const [again, second] = [await pay(key), await pay()];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(again.json.payment_id).toBe(first.json.payment_id);
  expect((await pay()).json.code).toBe('payment_link_exhausted');
  const held = (await logged('link')).get(`link.test-${link.id}`);
  expect(held).toEqual(['PaymentLinkCreated', 'LinkUseHeld', 'LinkUseHeld']);

  for (const { json } of [first, second]) await handIn(await builtFor({ id: json.payment_id }));
  const look = async () => (await patient.get(`/api/v1/payment-links/${link.link_code}`)).json;
  const taken = (types: readonly string[] = []) => types.filter((type) => type === 'PaymentLinkUsed');
  const uses = async () => taken((await logged('link')).get(`link.test-${link.id}`));
  await eventually(uses, ({ length }) => length === 2);
  await eventually(look, ({ status }) => status === 'exhausted');
  expect(await look()).toMatchObject({ uses_count: 2, is_active: false });
});

test('a transaction is claimed for its payment, and not recorded', async () => {
  const one = await builtFor(await newPayment());
  await program.strike(['payments'], 'append.after@signature');
  await Promise.all([handIn(one), program.rises()]);
});

test('the sponsor has signed it, and the signature is in no log', async () => {
  await sponsoredEnded();
  const one = await builtFor(await newPayment(), true);
  await program.strike(['treasury'], 'append.before@sponsorship');
  await Promise.all([handIn(one), program.rises()]);
});

test('the sponsor has signed it, and has not sent it', async () => {
  // What is in flight is sent again and again; the next to send is to be the sponsor.
  await Promise.all(begun.map(customers.ended));
  await sponsoredEnded();
  const one = await builtFor(await newPayment(), true);
  await program.strike(['treasury', 'payments'], 'send.before');
  await Promise.all([handIn(one), program.rises()]);
});

test('each is paid by one transaction, confirmed once, and costs the sponsor one fee', async () => {
  expect(begun).toHaveLength(7);
  let fees = 0n;
  for (const one of begun) {
    const { status, transaction_signature } = await customers.ended(one);
    const naming = await onChain<{ signature: string }[]>('getSignaturesForAddress', one.reference);
    expect([status, naming.map(({ signature }) => signature)]).toEqual(['confirmed', [transaction_signature]]);
    const { meta } = await onChain<{ meta: { fee: number } }>('getTransaction', transaction_signature);
    if (one.is_gasless) fees += BigInt(meta.fee);
  }
  expect(sponsors_lamports - (await lamportsOfSponsor())).toBe(fees);

  const payments = await logged('payment');
  for (const { id } of begun) {
    const types = payments.get(`payment.test-${id}`) ?? [];
    for (const once of ['PaymentCreated', 'PaymentConfirmed']) {
      expect(types.filter((type) => type === once)).toHaveLength(1);
    }
  }
});

test('the shop hears once of each', async () => {
  const ofEach = (event: string) => begun.map(({ id }) => receiver.idsOf(event, id).size);
  await receiver.until(() => ofEach('PaymentConfirmed').every((count) => count > 0));
  expect(ofEach('PaymentConfirmed')).toEqual(begun.map(() => 1));
  const used = () => new Set(receiver.events('PaymentLinkUsed').map(({ json }) => json.id));
  await receiver.until(() => used().size === 2);
});

test('nothing of all that breaks an invariant', async () => {
  expect(await brokenInvariants(program)).toEqual([]);
});
