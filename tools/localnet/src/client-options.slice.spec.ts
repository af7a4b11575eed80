// What clients send besides what web3.js does: no encoding, base58, zstd, null for what is not set, batches.
import { zstdDecompressSync } from 'node:zlib';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { TOKEN_PROGRAM } from './wire/token-layout';
import { ChainFixture, LASTING_BLOCKS } from './testing/chain-fixture';
import { RawSocket, type SocketAnswer } from './testing/raw-socket';

const TOO_LONG = {
  code: -32600,
  message: 'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
};
const ENCODINGS = ['base64', 'base64+zstd', 'jsonParsed'];
type Shown = { value: { data: [string, string] } };

let chain: ChainFixture;
let socket: RawSocket;
let wallet: Keypair;
let account: string;
let signature: string;
beforeAll(async () => {
  chain = await ChainFixture.open({ slotMs: 100, blockhashBlocks: LASTING_BLOCKS });
  wallet = await chain.wallet();
  account = chain.usdcAccount(wallet.publicKey).toBase58();
  signature = await chain.send(await chain.anyTransaction(wallet));
  await chain.finalize();
});
afterAll(() => chain.close());
beforeEach(async () => {
  socket = await RawSocket.open(chain.localnet.networks.test.ws_url);
});
afterEach(() => socket.close());

/** Money for the wallet's token account: everyone who follows it hears of it. */
const pay = () =>
  chain.call('localnet_faucet', { address: wallet.publicKey, token: 'USDC', amount: '1' });

describe('an account', () => {
  it.each([{}, { encoding: null }, { encoding: 'base58' }, { encoding: 'binary' }])(
    'of more than 128 bytes is not shown in base58: %j',
    async (config) => {
      await expect(chain.call('getAccountInfo', account, config)).rejects.toMatchObject(TOO_LONG);
      const owned = [wallet.publicKey, { mint: chain.usdc }, config];
      await expect(chain.call('getTokenAccountsByOwner', ...owned)).rejects.toMatchObject(TOO_LONG);
    },
  );

  it('is shown by each encoding, whole and in part', async () => {
    const shown = async (config: object) =>
      (await chain.call<Shown>('getAccountInfo', account, config)).value.data;
    const [whole] = await shown({ encoding: 'base64' });
    const data = Buffer.from(whole, 'base64');
    const [packed, name] = await shown({ encoding: 'base64+zstd', dataSlice: null });
    expect(name).toBe('base64+zstd');
    expect(zstdDecompressSync(Buffer.from(packed, 'base64'))).toEqual(data);
    const dataSlice = { offset: 32, length: 32 };
    const owner = wallet.publicKey.toBase58();
    expect(await shown({ encoding: 'base58', dataSlice })).toEqual([owner, 'base58']);
    expect(await shown({ dataSlice })).toBe(owner);
    expect(await shown({ encoding: 'base58', dataSlice: { offset: 160, length: 999 } })).toEqual([
      bs58.encode(data.subarray(160)), 'base58',
    ]);
  });

  it.each([
    [{ encoding: 'utf8' }], [{ encoding: 7 }], [{ encoding: {} }], [{ dataSlice: 'x' }],
    [{ dataSlice: { offset: 0 } }], [{ dataSlice: { offset: -1, length: 1 } }],
    [{ commitment: [] }], [{ minContextSlot: 'x' }],
  ])('is refused in a form that is none, also where there is none to show: %j', async (config) => {
    const nobody = Keypair.generate().publicKey;
    const asked = chain.call('getAccountInfo', nobody, config);
    await expect(asked).rejects.toMatchObject({ code: -32602 });
  });

  it('is found by filters in every form that clients give them', async () => {
    const key = wallet.publicKey;
    const filters = [
      { memcmp: { offset: 32, bytes: key.toBase58(), encoding: null } },
      { memcmp: { offset: 32, bytes: key.toBuffer().toString('base64'), encoding: 'base64' } },
      { memcmp: { offset: 32, bytes: [...key.toBytes()] } },
      'tokenAccountState',
    ];
    const config = { encoding: 'base64', filters };
    const found = await chain.call<{ pubkey: string }[]>('getProgramAccounts', TOKEN_PROGRAM, config);
    expect(found.map(({ pubkey }) => pubkey)).toEqual([account]);
    for (const bytes of ['0OIl', '1'.repeat(100_000), [256], { length: 1 }]) {
      const wrong = { filters: [{ memcmp: { offset: 0, bytes } }] };
      const asked = chain.call('getProgramAccounts', TOKEN_PROGRAM, wrong);
      await expect(asked).rejects.toMatchObject({ code: -32602 });
    }
  });
});

it.each([
  ['getSlot', []],
  ['getAccountInfo', ['11111111111111111111111111111111']],
  ['getBalance', ['11111111111111111111111111111111']],
  ['getMultipleAccounts', [['11111111111111111111111111111111']]],
  ['getProgramAccounts', ['Config1111111111111111111111111111111111111']],
  ['getSignaturesForAddress', ['11111111111111111111111111111111']],
  ['getLatestBlockhash', []],
  ['getRecentPrioritizationFees', []],
  ['getBlocksWithLimit', [1_000, 2]],
  ['getEpochInfo', []],
])('%s takes null for every option that is not set', async (method, params) => {
  const names = [
    'commitment', 'encoding', 'dataSlice', 'filters', 'minContextSlot', 'withContext', 'before',
    'until', 'limit', 'sortResults', 'transactionDetails', 'maxSupportedTransactionVersion',
  ];
  const nothing = Object.fromEntries(names.map((name) => [name, null]));
  const config = method === 'getRecentPrioritizationFees' ? null : nothing;
  await expect(chain.call(method, ...params, config)).resolves.toBeDefined();
  await expect(chain.call(method, ...params, null)).resolves.toBeDefined();
});

it('a transaction and its block are shown by each encoding, and take null', async () => {
  const found = await chain.call<{ slot: number }>('getTransaction', signature, null);
  for (const encoding of [null, 'json', 'jsonParsed', 'base64', 'base58', 'binary']) {
    const config = { encoding, commitment: null, maxSupportedTransactionVersion: null };
    expect(await chain.call('getTransaction', signature, config)).toMatchObject({ slot: found.slot });
    const block = { ...config, transactionDetails: null, rewards: null };
    expect(await chain.call('getBlock', found.slot, block)).toHaveProperty('transactions.0.meta');
  }
});

describe('a subscription', () => {
  it.each([undefined, null, {}, { encoding: 'base58' }])(
    'to an account that base58 is too short for is refused: %j',
    async (config) => {
      const params = [account, ...(config === undefined ? [] : [config])];
      const { error } = await socket.call('accountSubscribe', ...params);
      expect(error).toEqual(TOO_LONG);
      const filters = [{ dataSize: 165 }];
      const program = await socket.call('programSubscribe', TOKEN_PROGRAM, { ...config, filters });
      expect(program.error).toEqual(TOO_LONG);
    },
  );

  it.each(ENCODINGS)('to an account hears of it as %s', async (encoding) => {
    const config = { encoding, commitment: 'processed', dataSlice: null, filters: null };
    const { result } = await socket.call('accountSubscribe', account, config);
    await pay();
    const [told] = (await socket.heard(result)) as { data: unknown }[];
    const shown = await chain.call<Shown>('getAccountInfo', account, { encoding });
    expect(told?.data).toEqual(shown.value.data);
  });

  it('to what is too long for base58 only later hears of it as base64', async () => {
    const { publicKey } = await chain.wallet(1_000_000_000, 0);
    const later = chain.usdcAccount(publicKey);
    const config = { commitment: 'processed' };
    const one = await socket.call('accountSubscribe', later, config);
    const all = await socket.call('programSubscribe', TOKEN_PROGRAM, config);
    await chain.call('localnet_faucet', { address: publicKey, token: 'USDC', amount: '7' });
    const [told] = (await socket.heard(one.result)) as { data: string[] }[];
    const [, encoding] = told?.data ?? [];
    expect(encoding).toBe('base64');
    expect(await socket.heard(all.result)).toContainEqual({
      pubkey: later.toBase58(), account: told,
    });
  });

  it('that cannot be told ends, with a line on the log; the others and their sender go on', async () => {
    const config = { commitment: 'processed', encoding: 'base64' };
    const first = await socket.call('accountSubscribe', account, config);
    const { vm } = chain.localnet.ledgers.test;
    const broken = jest.spyOn(vm, 'account').mockImplementationOnce(() => {
      throw new Error('a fault of\nthe renderer');
    });
    const lines = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { ledgers } = chain.localnet;
    const entry = ledgers.test.history.get(signature);
    if (entry) ledgers.test.announce(entry);
    broken.mockRestore();
    expect(lines.mock.calls).toEqual([[
      `localnet: accountSubscribe ${String(first.result)} ended: a fault of the renderer\n`,
    ]]);
    lines.mockRestore();
    const second = await socket.call('accountSubscribe', account, config);
    await pay();
    await socket.heard(second.result);
    const { error } = await socket.call('accountUnsubscribe', first.result);
    expect(error).toMatchObject({ code: -32602 });
  });

  it('to a signature also hears that it was received, where that is wanted', async () => {
    const transaction = await chain.anyTransaction(wallet);
    const expected = bs58.encode(transaction.subarray(1, 65));
    const config = { commitment: 'confirmed', enableReceivedNotification: true };
    const { result } = await socket.call('signatureSubscribe', expected, config);
    await chain.send(transaction);
    expect((await socket.heard(result))[0]).toBe('receivedSignature');
  });
});

describe('a frame', () => {
  const slots = { jsonrpc: '2.0', method: 'slotSubscribe' };

  it('may be a batch, whose calls are answered in order; an empty one is refused', async () => {
    const answers = (await socket.ask([
      { ...slots, id: 1 }, { ...slots, id: 2, method: 'no' }, { jsonrpc: '2.0', method: 'ping' },
      { ...slots, id: 3, params: null }, 7,
    ])) as SocketAnswer[];
    expect(answers).toMatchObject([
      { id: 1, result: expect.any(Number) as number },
      { id: 2, error: { code: -32601 } },
      { id: 3, result: expect.any(Number) as number },
      { id: null, error: { code: -32600 } },
    ]);
    expect(await socket.ask([])).toMatchObject({ error: { code: -32600 } });
  });

  it.each([
    ['no call', '1', -32600],
    ['no method', '{"id":1}', -32600],
    ['an id that is a list of lists', `{"id":${'['.repeat(9_000)}${']'.repeat(9_000)},"method":"x"}`, -32600],
    ['a method that is none', '{"id":1,"method":{"toString":1}}', -32600],
    ['no JSON', '{"id":', -32700],
    ['params that are none', '{"id":1,"method":"slotSubscribe","params":7}', -32602],
    ['a subscription that is none', '{"id":1,"method":"slotUnsubscribe","params":[{"valueOf":1}]}', -32602],
  ])('with %s is refused', async (_, frame, code) => {
    expect(await socket.ask(frame)).toMatchObject({ error: { code } });
  });
});

it('a batch whose answers fill the memory is cut short, the rest of it refused', async () => {
  const live = chain.localnet.networks.live.rpc_url;
  const post = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(live, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as SocketAnswer[];
  };
  const call = (id: number, method: string, ...params: unknown[]) => ({
    jsonrpc: '2.0', id, method, params,
  });
  await post(call(0, 'localnet_warpSlots', 500_000));
  const blocks = Array.from({ length: 15 }, (_, id) => call(id, 'getBlocks', 1_000, 501_000));
  const answers = await post(blocks);
  expect(answers.map(({ id }) => id)).toEqual(blocks.map(({ id }) => id));
  expect(answers[0]).toHaveProperty('result.499000');
  expect(answers.at(-1)).toMatchObject({ error: { code: -32603 } });
});
