// Whatever is asked, in whatever form, over HTTP and over websockets: an answer comes, and the chain goes on.
import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import { METHODS } from './rpc/methods';
import { MESSAGE_BYTES_MAX } from './server/chain-server';
import { SUBSCRIPTION_KINDS } from './server/subscription';
import { ChainFixture, LASTING_BLOCKS } from './testing/chain-fixture';
import { RawSocket, type SocketAnswer } from './testing/raw-socket';
import { TOKEN_PROGRAM } from './wire/token-layout';

const RUNS = 300;
/** These are there to make a caller wait, fail or lose its socket. */
const FAULTS = ['localnet_delayRpc', 'localnet_failRpc', 'localnet_dropWebsockets'];
const UNKNOWN = ['blockSubscribe', 'getSupply', 'constructor', '__proto__', ''];
const OPTIONS = [
  'commitment', 'encoding', 'transactionDetails', 'dataSlice', 'filters', 'minContextSlot', 'before',
  'until', 'limit', 'rewards', 'maxSupportedTransactionVersion', 'withContext', 'skipPreflight',
  'accounts', 'sigVerify', 'replaceRecentBlockhash', 'innerInstructions', 'mentions', 'mint',
  'programId', 'offset', 'length', 'memcmp', 'dataSize', 'bytes', 'addresses', 'address', 'amount',
  'token', 'lamports', 'owner', 'data', 'executable', 'slots', 'count', 'offset_ms',
  'to_unix_seconds', 'enableReceivedNotification', '__proto__', 'toString',
];
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';

let chain: ChainFixture;
let wallet: Keypair;
let socket: RawSocket;
/** What a stranger would take from the chain to ask it about. */
const known: unknown[] = [];
beforeAll(async () => {
  chain = await ChainFixture.open({ slotMs: 20, blockhashBlocks: LASTING_BLOCKS });
  wallet = await chain.wallet();
  const sent = await chain.signed(
    wallet, chain.payment(wallet.publicKey, wallet.publicKey, 1n), undefined,
  );
  const account = chain.usdcAccount(wallet.publicKey).toBase58();
  known.push(wallet.publicKey.toBase58(), account, chain.usdc.toBase58(), TOKEN_PROGRAM, CLOCK);
  known.push(await chain.send(sent), sent.toString('base64'), sent.subarray(65).toString('base64'));
  known.push(1_000, 1_001, 1_005, [account, wallet.publicKey.toBase58()]);
  socket = await RawSocket.open(chain.localnet.networks.test.ws_url);
});
afterAll(async () => {
  await socket.close();
  await chain.close();
});

const word = fc.constantFrom(
  'processed', 'confirmed', 'finalized', 'recent', 'binary', 'base58', 'base64', 'base64+zstd',
  'jsonParsed', 'json', 'full', 'accounts', 'signatures', 'none', 'all', 'allWithVotes', 'USDC',
  'SOL', 'tokenAccountState', '', '0', '18446744073709551615', '<long>',
);
const number = fc.constantFrom(
  0, 1, -1, 1.5, 128, 129, 255, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e308, -(2 ** 53),
);
/** As it is sent. What is long or deep is named while it is made: a failure is to be readable. */
const jsonOf = (made: unknown) =>
  JSON.stringify(made)
    .replaceAll('"<deep>"', `${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    .replaceAll('<long>', '1'.repeat(8_000));
const plain = () =>
  fc.oneof(
    { weight: 4, arbitrary: fc.nat(known.length - 1).map((index) => known[index]) },
    { weight: 3, arbitrary: word },
    { weight: 3, arbitrary: number },
    { weight: 2, arbitrary: fc.constantFrom(null, true, false) },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.constant('<deep>') },
  );
const options = () =>
  fc.letrec<{ value: unknown; fields: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' }, plain(), tie('fields'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    fields: fc.dictionary(fc.constantFrom(...OPTIONS), tie('value'), { maxKeys: 5 }),
  }));
const params = () => {
  const { value, fields } = options();
  const list = fc.array(fc.oneof(plain(), fields, value), { maxLength: 4 });
  return fc.oneof({ weight: 9, arbitrary: list }, { weight: 1, arbitrary: value });
};
const callOf = (methods: readonly string[]) =>
  fc.record(
    {
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof({ weight: 9, arbitrary: fc.nat() }, { weight: 1, arbitrary: plain() }),
      method: fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...methods) },
        { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...UNKNOWN), plain()) },
      ),
      params: params(),
    },
    { requiredKeys: ['jsonrpc', 'id', 'method'] },
  );
const bodyOf = (methods: readonly string[]) =>
  fc.oneof(
    { weight: 8, arbitrary: callOf(methods) },
    { weight: 2, arbitrary: fc.array(callOf(methods), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );

const isAnswer = (answer: unknown): answer is SocketAnswer =>
  typeof answer === 'object' && answer !== null && 'result' in answer !== 'error' in answer;
const isAnswered = (answer: unknown) =>
  Array.isArray(answer) ? answer.length > 0 && answer.every(isAnswer) : isAnswer(answer);

/** It says where it is, and blocks go on from there. */
async function expectAlive(): Promise<void> {
  const slot = await chain.call<number>('getSlot', { commitment: 'processed' });
  while ((await chain.call<number>('getSlot', { commitment: 'processed' })) <= slot) await pause(5);
}

async function post(body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(chain.url, { method: 'POST', headers, body })).json();
}

it('every frame is answered, whatever subscribers get, and blocks go on', async () => {
  const methods = SUBSCRIPTION_KINDS.flatMap((kind) => [`${kind}Subscribe`, `${kind}Unsubscribe`]);
  const { publicKey } = wallet;
  await fc.assert(
    fc.asyncProperty(bodyOf(methods), async (frame) => {
      const text = jsonOf(frame);
      // A longer one ends its socket, as a node does.
      fc.pre(Buffer.byteLength(text) <= MESSAGE_BYTES_MAX);
      expect((await socket.answersTo(text)).every(isAnswered)).toBe(true);
      await chain.call('localnet_faucet', { address: publicKey, token: 'USDC', amount: '1' });
    }),
    { numRuns: RUNS / 3, endOnFailure: true },
  );
  await expectAlive();
  const { result } = await socket.call('slotSubscribe');
  await socket.heard(result);
});

it('every request is answered, and blocks go on', async () => {
  const methods = [...METHODS.keys()].filter((name) => !FAULTS.includes(name));
  await fc.assert(
    fc.asyncProperty(bodyOf(methods), async (body) => {
      expect(isAnswered(await post(jsonOf(body)))).toBe(true);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  await chain.call('localnet_lagNode', { slots: 0 });
  // Slots that were skipped on request take their time, too.
  await chain.call('localnet_warpSlots', { slots: 1 });
  await expectAlive();
});

it('what was changed on the way is there after a restart', async () => {
  await socket.close();
  await chain.restart();
  await expectAlive();
});
