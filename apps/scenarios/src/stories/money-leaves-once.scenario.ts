/**
 * @landing embedded postgres
 * @program own
 */
// Money leaves an operating wallet once, whichever process is killed on the way, and without an operator.
import { freshWallet, payOnChain } from '@tender/adapter-solana';
import { callRpc } from '@tender/localnet';
import { Client } from '../harness/client';
import { eventually } from '../harness/eventually';
import { finalize } from '../harness/local-chain';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { storedEvents } from '../harness/stored-events';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

/** Money that came in, and must go back to who paid it, whole and once. */
interface Credit {
  readonly payer: string;
  readonly signature: string;
  /** Base units. */
  readonly amount: bigint;
}

const program = new Program();
const AMOUNT = 5_000_000n;
let merchant: Merchant;
let patient: Client;
let operating_wallet: string;

const network = async (): Promise<Json> =>
  (await patient.get('/api/v1/test_helpers/environment')).json.networks.test;

const walletAnswer = async (): Promise<Json> => (await patient.get('/api/v1/merchants/me/wallet')).json;

beforeAll(async () => {
  await program.start({});
  merchant = await newMerchant(program);
  patient = new Client(() => program.url, merchant.key, { patience: 'always' });
  const answer = await eventually(walletAnswer, ({ operating_wallet_address: at }) => at !== null);
  operating_wallet = answer.operating_wallet_address;
});
afterAll(() => program.discard());

/** A customer pays into the operating wallet. */
async function credit(): Promise<Credit> {
  const { address: payer, secret: from } = freshWallet();
  for (const [token, amount] of [['SOL', 1], ['USDC', 5]] as const) {
    const given = await program.admin().post('/api/v1/test_helpers/faucet', { address: payer, token, amount });
    expect(given.status).toBe(200);
  }
  const { rpc_url, mints } = await network();
  const { signature } = await payOnChain({
    ...{ rpc_url, commitment: 'confirmed', from, to: operating_wallet, mint: mints.USDC, decimals: 6 },
    ...{ amount: AMOUNT, references: [] },
  });
  return { payer, signature, amount: AMOUNT };
}

/** Asks for the money back, and again however it is answered: the key says that it is the same. */
const sendBack = (of: Credit): Promise<Json> =>
  patient.post('/api/v1/test_helpers/send-back', { credit: of.signature, key: of.signature });

const settle = async (signature: string) => finalize((await network()).rpc_url, signature);

/** Until it is final, which on a chain of people takes 13 s: blocks are made as soon as it is in one. */
async function isBack(of: Credit): Promise<void> {
  const look = async () => {
    const { json } = await sendBack(of);
    // The local chain dies with the program that runs in one process; the next look finds it where it was.
    if (json.status === 'processing') await settle(json.transaction_signature).catch(() => null);
    return json;
  };
  const ended = await eventually(look, ({ status }) => status === 'completed' || status === 'failed');
  expect(ended).toMatchObject({ status: 'completed', to: of.payer, amount: String(of.amount) });
}

/** What the chain has of the customer’s USDC: as much as was paid, for it was nothing in between. */
async function balanceOf({ payer }: Credit): Promise<bigint> {
  const { rpc_url, mints } = await network();
  const { value } = await callRpc<Json>(
    rpc_url, 'getTokenAccountsByOwner', payer, { mint: mints.USDC }, { encoding: 'jsonParsed' },
  );
  return BigInt(value[0].account.data.parsed.info.tokenAmount.amount);
}

/** Types of the events of each transfer. */
async function transfers(): Promise<ReadonlyMap<string, readonly string[]>> {
  const streams = new Map<string, string[]>();
  for (const { stream, type } of await storedEvents(program, 'outgoingtransfer.test')) {
    streams.set(stream, [...(streams.get(stream) ?? []), type]);
  }
  return streams;
}

const all: Credit[] = [];

async function credits(count: number): Promise<readonly Credit[]> {
  const paid = await Promise.all(Array.from({ length: count }, credit));
  all.push(...paid);
  return paid;
}

test.each([
  ['K9: it is signed and recorded, and was not sent', 'append.after@outgoingtransfer:2'],
  ['K10: it is sent, and that is not known', 'send.after'],
  ['K11: it is final, and that is not recorded', 'append.before@outgoingtransfer:3'],
])('treasury dies while money leaves: %s', async (_, point) => {
  const paid = await credits(4);
  await program.strike(['treasury'], point);
  const back = Promise.all(paid.map(isBack));
  await program.rises();
  await back;
});

test.each(['signer-a', 'signer-b'])('%s dies while money leaves', async (signer) => {
  const paid = await credits(4);
  const asked = Promise.all(paid.map(sendBack));
  for (let deaths = 0; deaths < 2; deaths += 1) {
    const pid = program.pidOf(signer);
    process.kill(pid, 'SIGKILL');
    await eventually(async () => program.pidOf(signer), (now) => now !== pid);
  }
  await asked;
  await Promise.all(paid.map(isBack));
});

test('every customer has what was paid, to the unit, and each transfer has ended once', async () => {
  for (const one of all) expect(await balanceOf(one)).toBe(one.amount);
  const ends = [...(await transfers()).values()].map(
    (types) => types.filter((type) => type === 'TransferCompleted').length,
  );
  expect(ends).toEqual(all.map(() => 1));
});

test('the merchant hears once of what came into the wallet, and nothing of what left it', async () => {
  const receipts = (): Promise<Json> => patient.get('/api/v1/receipts?reason=no_reference&limit=100');
  const { json } = await eventually(receipts, ({ json: told }) => told.length >= all.length);
  const money = ({ transaction_signature: sent, amount, wallet }: Json) => [sent, amount, wallet];
  const came = all.map((one) => [one.signature, String(one.amount), operating_wallet]);
  expect(json.map(money).toSorted()).toEqual(came.toSorted());
});

test('the wallet is the one that it was', async () => {
  const { operating_wallet_address, operating_wallet_custody_model } = await walletAnswer();
  expect([operating_wallet_address, operating_wallet_custody_model]).toEqual([operating_wallet, 'shared']);
});

test('a key that stands for a transfer is refused for another one', async () => {
  const [one, other] = all as [Credit, Credit];
  for (const changed of [{ amount: 1 }, { credit: other.signature }]) {
    const body = { credit: one.signature, key: one.signature, ...changed };
    const { status, json } = await patient.post('/api/v1/test_helpers/send-back', body);
    expect([status, json.details?.fields]).toMatchObject([400, [{ field: 'key' }]]);
  }
});

test('nothing is sent to a wallet that was sanctioned after it has paid', async () => {
  const one = await credit();
  const arranged = { wallet: one.payer, action: 'sanction' };
  expect((await patient.post('/api/v1/test_helpers/screening', arranged)).status).toBe(200);
  const look = async () => (await sendBack(one)).json;
  const ended = await eventually(look, ({ status }) => status === 'failed' || status === 'completed');
  expect(ended).toMatchObject({ status: 'failed', failure_reason: 'sanctions_hit' });
});
