// The interface around the chain: envelopes, limits, pages, encodings.
import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { ChainFixture, STILL_SLOT_MS } from './testing/chain-fixture';

describe('JSON-RPC', () => {
  let chain: ChainFixture;
  beforeAll(async () => {
    chain = await ChainFixture.open({ slotMs: STILL_SLOT_MS });
  });
  afterAll(() => chain.close());

  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const call = (method: string, params: unknown = []) =>
    JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });

  it('answers what it cannot read with -32700, and what it does not know with -32601', async () => {
    const unread = await post('{"jsonrpc":');
    expect(await unread.json()).toMatchObject({ id: null, error: { code: -32700 } });
    for (const method of ['getNothing', 'constructor', 'blockSubscribe']) {
      const unknown = await post(call(method));
      expect(await unknown.json()).toMatchObject({ id: 7, error: { code: -32601 } });
    }
  });

  it('refuses calls without a method, empty batches and params that are no list', async () => {
    const answers = await Promise.all(
      ['{}', '[]', '[1]', call('getSlot', 'x')].map(async (body) => (await post(body)).json()),
    );
    expect(answers).toMatchObject([
      { error: { code: -32600 } },
      { error: { code: -32600 } },
      [{ error: { code: -32600 } }],
      { error: { code: -32602 } },
    ]);
  });

  it('answers a batch in order, errors in their place', async () => {
    const batch = [1, 2, 3].map((id) => ({
      jsonrpc: '2.0', id, method: id === 2 ? 'no' : 'getHealth', params: [],
    }));
    expect(await (await post(JSON.stringify(batch))).json()).toMatchObject([
      { id: 1, result: 'ok' },
      { id: 2, error: { code: -32601 } },
      { id: 3, result: 'ok' },
    ]);
  });

  it('limits the body, the HTTP method and the content type', async () => {
    expect((await post(call('x'.repeat(600_000)))).status).toBe(413);
    expect((await post(call('getHealth'), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await fetch(chain.url)).status).toBe(405);
    expect(await (await fetch(`${chain.url}/health`)).text()).toBe('ok');
  });

  it('keeps control methods from web pages, and nothing else', async () => {
    const fromPage = { origin: 'https://example.com' };
    const control = await post(call('localnet_stats'), fromPage);
    expect(await control.json()).toMatchObject({ error: { code: -32601 } });
    const plain = await post(call('getHealth'), fromPage);
    expect(plain.headers.get('access-control-allow-origin')).toBe('*');
    expect(await plain.json()).toMatchObject({ result: 'ok' });
  });

  it.each([
    ['a key of the wrong size', 'getBalance', ['abc']],
    ['a key that is no base58', 'getBalance', ['0OIl']],
    ['an unknown commitment', 'getSlot', [{ commitment: 'sure' }]],
    ['history below confirmed', 'getBlocks', [0, null, { commitment: 'processed' }]],
    ['more than 256 statuses', 'getSignatureStatuses', [Array(257).fill('x')]],
    ['more than 100 accounts', 'getMultipleAccounts', [Array(101).fill('x')]],
    ['a page of 1,001', 'getSignaturesForAddress', [PublicKey.default, { limit: 1_001 }]],
    ['a limit above 500,000', 'getBlocksWithLimit', [0, 500_001]],
  ])('refuses %s with -32602', async (_, method, params) => {
    await expect(chain.call(method, ...params)).rejects.toMatchObject({ code: -32602 });
  });

  it('getBlocks: at most 500,000 slots, none when the end is before the start', async () => {
    const from = await chain.connection.getFirstAvailableBlock();
    await chain.call('localnet_warpSlots', { slots: 500_100 });
    await expect(
      chain.call('getBlocks', from, from + 500_001, { commitment: 'confirmed' }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('500000') });
    const open = await chain.call<number[]>('getBlocks', from, { commitment: 'confirmed' });
    expect([open.length, open[0], open.at(-1)]).toEqual([500_001, from, from + 500_000]);
    expect(await chain.call('getBlocks', from + 5, from + 3)).toEqual([]);
    expect(await chain.call('getBlocksWithLimit', from, 3)).toEqual([from, from + 1, from + 2]);
  });

  it('getBlock: future and cleaned up slots have their own codes', async () => {
    const slot = await chain.connection.getSlot('processed');
    await expect(chain.call('getBlock', slot + 1_000)).rejects.toMatchObject({ code: -32004 });
    await expect(chain.call('getBlock', 1)).rejects.toMatchObject({ code: -32001 });
  });

  it('getSignaturesForAddress: newest first, before and until exclusive', async () => {
    const payer = await chain.wallet();
    const signatures: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      signatures.unshift(await chain.send(await chain.anyTransaction(payer), true));
    }
    await chain.finalize();
    const page = async (options: object) => {
      const found = await chain.call<{ signature: string }[]>(
        'getSignaturesForAddress', payer.publicKey, options,
      );
      return found.map(({ signature }) => signature);
    };
    const [first, second, third, , fifth] = signatures;
    expect((await page({ limit: 7 })).slice(0, 7)).toEqual(signatures);
    expect(await page({ limit: 2, before: first })).toEqual([second, third]);
    expect(await page({ before: second, until: fifth })).toEqual(signatures.slice(2, 4));
    const unknown = await chain.send(await chain.anyTransaction(payer), true);
    await chain.call('localnet_rollback', { slots: 31 });
    expect(await page({ before: unknown })).toEqual([]);
    expect(await page({ until: unknown, limit: 7 })).toEqual(signatures);
  });

  it('a transaction in every encoding is the same transaction', async () => {
    const [payer, merchant] = [await chain.wallet(), Keypair.generate().publicKey];
    const bytes = await chain.signed(payer, chain.payment(payer.publicKey, merchant, 42n));
    const signature = await chain.send(bytes);
    await chain.finalize();
    const read = (encoding: string) =>
      chain.call<{ transaction: [string] }>('getTransaction', signature, { encoding });
    expect((await read('base64')).transaction[0]).toBe(bytes.toString('base64'));
    const parsed = await chain.connection.getParsedTransaction(signature, 'finalized');
    const transfer = parsed?.transaction.message.instructions.find(
      (each) => 'parsed' in each && each.parsed.type === 'transferChecked',
    );
    expect(transfer).toMatchObject({
      program: 'spl-token',
      parsed: {
        info: {
          destination: chain.usdcAccount(merchant).toBase58(),
          tokenAmount: { amount: '42', decimals: 6, uiAmountString: '0.000042' },
        },
      },
    });
    const json = await chain.connection.getTransaction(signature, {
      maxSupportedTransactionVersion: 0,
    });
    expect(json?.transaction.message.getAccountKeys().get(0)?.equals(payer.publicKey)).toBe(true);
  });

  it('a failed transaction lands with its error and its fee', async () => {
    const [payer, merchant] = [await chain.wallet(), Keypair.generate().publicKey];
    const payment = chain.payment(payer.publicKey, merchant, 100_000_001n);
    const signature = await chain.send(await chain.signed(payer, payment), true);
    await chain.finalize();
    const { value } = await chain.connection.getSignatureStatus(signature);
    expect(value?.err).toEqual({ InstructionError: [1, { Custom: 1 }] });
    const [found] = await chain.connection.getSignaturesForAddress(payer.publicKey, { limit: 1 });
    expect(found).toMatchObject({ signature, err: value?.err });
    const read = await chain.connection.getTransaction(signature);
    expect(read?.meta?.fee).toBe(5_000);
    expect(await chain.connection.getBalance(payer.publicKey)).toBe(1_000_000_000 - 5_000);
  });

  it('the fee that is quoted is the fee that is taken, priority included', async () => {
    const payer = await chain.wallet();
    const toPubkey = Keypair.generate().publicKey;
    const bytes = await chain.signed(payer, [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 10_001 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 333_333 }),
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 1_000_000 }),
    ]);
    const message = bytes.subarray(65).toString('base64');
    const quoted = await chain.call<{ value: number }>('getFeeForMessage', message);
    const before = await chain.connection.getBalance(payer.publicKey);
    const signature = await chain.send(bytes);
    await chain.finalize();
    const after = await chain.connection.getBalance(payer.publicKey);
    const read = await chain.connection.getTransaction(signature);
    expect(before - after - 1_000_000).toBe(quoted.value);
    expect(read?.meta?.fee).toBe(quoted.value);
    expect(quoted.value).toBe(5_000 + 3_334);
  });

  it('simulates without effect and names the error', async () => {
    const payer = await chain.wallet(10_000_000, 5);
    const { blockhash } = await chain.connection.getLatestBlockhash();
    const good = await chain.signed(
      payer, chain.payment(payer.publicKey, payer.publicKey, 5n), blockhash,
    );
    const bad = await chain.signed(
      payer, chain.payment(payer.publicKey, payer.publicKey, 6n), blockhash,
    );
    const simulate = (bytes: Buffer, options = {}) =>
      chain.call<{ value: { err: unknown; unitsConsumed: number } }>(
        'simulateTransaction', bytes.toString('base64'), { encoding: 'base64', ...options },
      );
    const { value } = await simulate(good);
    expect(value.err).toBeNull();
    expect(value.unitsConsumed).toBeGreaterThan(0);
    expect((await simulate(bad)).value.err).toEqual({ InstructionError: [1, { Custom: 1 }] });
    const old = await chain.signed(
      payer, chain.payment(payer.publicKey, payer.publicKey, 5n), PublicKey.unique().toBase58(),
    );
    expect((await simulate(old)).value.err).toBe('BlockhashNotFound');
    expect((await simulate(old, { replaceRecentBlockhash: true })).value.err).toBeNull();
    expect(await chain.connection.getBalance(payer.publicKey)).toBe(10_000_000);
  });

  it('serves accounts by owner, by filter and parsed', async () => {
    const wallet = (await chain.wallet(0, 77)).publicKey;
    const { connection } = chain;
    const byMint = await connection.getTokenAccountsByOwner(wallet, { mint: chain.usdc });
    expect(byMint.value.map(({ pubkey }) => pubkey)).toEqual([chain.usdcAccount(wallet)]);
    const programId = byMint.value[0]?.account.owner ?? PublicKey.default;
    const parsed = await connection.getParsedTokenAccountsByOwner(wallet, { programId });
    expect(parsed.value[0]?.account.data.parsed.info.tokenAmount.amount).toBe('77');
    const filters = [
      { dataSize: 165 },
      { memcmp: { offset: 32, bytes: wallet.toBase58() } },
    ];
    const found = await connection.getProgramAccounts(programId, { filters });
    expect(found.map(({ pubkey }) => pubkey)).toEqual([chain.usdcAccount(wallet)]);
    const supply = await connection.getTokenSupply(chain.usdc);
    expect(BigInt(supply.value.amount)).toBeGreaterThanOrEqual(10_000_000_077n);
  });

  it('waits for no slot: minContextSlot above the newest is -32016', async () => {
    const slot = await chain.connection.getSlot('confirmed');
    const config = { commitment: 'confirmed', minContextSlot: slot + 1_000 };
    await expect(
      chain.call('getBalance', PublicKey.default, config),
    ).rejects.toMatchObject({ code: -32016 });
  });
});
