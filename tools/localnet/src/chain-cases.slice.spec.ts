// The cases 1-7, 9, 10 and 12 of the chain's design, with unmodified @solana/web3.js and spl-token.
import { Keypair } from '@solana/web3.js';
import { callRpc } from './call-rpc';
import { ChainFixture, errorOf, LASTING_BLOCKS, STILL_SLOT_MS } from './testing/chain-fixture';

describe('a local chain behind unmodified clients', () => {
  let chain: ChainFixture;
  beforeAll(async () => {
    chain = await ChainFixture.open({ slotMs: STILL_SLOT_MS });
  });
  afterAll(() => chain.close());

  it('1: an airdrop confirms over the websocket and is in the balance', async () => {
    const passing = await ChainFixture.open({ slotMs: 200, blockhashBlocks: LASTING_BLOCKS });
    const { connection } = passing;
    const wallet = Keypair.generate().publicKey;
    const latest = await connection.getLatestBlockhash();
    const signature = await connection.requestAirdrop(wallet, 2_000_000_000);
    const { value } = await connection.confirmTransaction({ signature, ...latest }, 'confirmed');
    expect(value.err).toBeNull();
    expect(await connection.getBalance(wallet)).toBe(2_000_000_000);
    await passing.close();
  });

  it('a payment with a reference is found by it, with exact token balances', async () => {
    const [payer, merchant] = [await chain.wallet(), Keypair.generate().publicKey];
    const reference = Keypair.generate().publicKey;
    const instructions = chain.payment(payer.publicKey, merchant, 1_250_000n, [reference]);
    const signature = await chain.send(await chain.signed(payer, instructions));
    await chain.finalize();
    const { connection } = chain;
    const [found, ...others] = await connection.getSignaturesForAddress(reference, {}, 'finalized');
    expect([found?.signature, others.length]).toEqual([signature, 0]);
    const transaction = await connection.getTransaction(signature, {
      maxSupportedTransactionVersion: 0,
    });
    const after = transaction?.meta?.postTokenBalances?.find(
      ({ owner }) => owner === merchant.toBase58(),
    );
    expect(after?.uiTokenAmount.amount).toBe('1250000');
    expect(after?.mint).toBe(chain.usdc.toBase58());
    const block = await connection.getBlock(transaction?.slot ?? 0, {
      maxSupportedTransactionVersion: 0,
      rewards: false,
    });
    expect(block?.transactions.map((each) => each.transaction.signatures[0])).toContain(signature);
    expect(await chain.usdcBalance(payer.publicKey)).toBe(98_750_000n);
  });

  it('2, 3: a replay is refused with preflight, and credits nothing without it', async () => {
    const [payer, merchant] = [await chain.wallet(), Keypair.generate().publicKey];
    const bytes = await chain.signed(payer, chain.payment(payer.publicKey, merchant, 5n));
    const signature = await chain.send(bytes);
    const error = await errorOf(chain.send(bytes));
    expect(error?.message).toContain('This transaction has already been processed');
    expect(await chain.send(bytes, true)).toBe(signature);
    expect(await chain.usdcBalance(merchant)).toBe(5n);
  });

  it('4: a replay is refused after 100 further transactions and after a restart', async () => {
    const [payer, merchant] = [await chain.wallet(), Keypair.generate().publicKey];
    const bytes = await chain.signed(payer, chain.payment(payer.publicKey, merchant, 7n));
    const signature = await chain.send(bytes);
    for (let n = 0; n < 100; n += 1) await chain.send(await chain.anyTransaction(payer), true);
    expect((await errorOf(chain.send(bytes)))?.message).toContain('already been processed');
    await chain.restart();
    expect((await errorOf(chain.send(bytes)))?.message).toContain('already been processed');
    expect(await chain.send(bytes, true)).toBe(signature);
    expect(await chain.usdcBalance(merchant)).toBe(7n);
  });

  it('5: a blockhash is usable for 150 blocks and not for 151', async () => {
    const payer = await chain.wallet();
    // One block at a time is under our control only at the tip, hence `processed`.
    const { blockhash } = await chain.connection.getLatestBlockhash('processed');
    const early = await chain.signed(
      payer, chain.payment(payer.publicKey, payer.publicKey, 1n), blockhash,
    );
    const late = await chain.signed(
      payer, chain.payment(payer.publicKey, payer.publicKey, 2n), blockhash,
    );
    await chain.call('localnet_warpSlots', { slots: 100 });
    await chain.send(early);
    await chain.call('localnet_warpSlots', { slots: 51 });
    expect((await errorOf(chain.send(late)))?.message).toContain('Blockhash not found');
    expect((await chain.connection.isBlockhashValid(blockhash)).value).toBe(false);
  });

  it('6: a tampered signature is -32003', async () => {
    const payer = await chain.wallet();
    const bytes = await chain.anyTransaction(payer);
    bytes[10] = (bytes[10] ?? 0) ^ 1;
    await expect(
      chain.call('sendTransaction', bytes.toString('base64'), { encoding: 'base64' }),
    ).rejects.toMatchObject({ code: -32003 });
  });

  it('7: 1,233 bytes are -32602', async () => {
    const bytes = Buffer.alloc(1_233, 1).toString('base64');
    await expect(
      chain.call('sendTransaction', bytes, { encoding: 'base64' }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('too large') });
  });

  it('9: a skipped slot is -32007 and absent from getBlocks', async () => {
    const { skipped } = await chain.call<{ skipped: number[] }>('localnet_skipSlot', { count: 1 });
    const slot = skipped[0] ?? 0;
    await chain.finalize();
    await expect(chain.call('getBlock', slot)).rejects.toMatchObject({ code: -32007 });
    expect(await chain.connection.getBlocks(slot - 1, slot + 1)).toEqual([slot - 1, slot + 1]);
    const after = await chain.connection.getBlock(slot + 1, {
      maxSupportedTransactionVersion: 0,
    });
    expect(after?.parentSlot).toBe(slot - 1);
  });

  it('10: a rollback takes a confirmed transaction back; the same bytes land again', async () => {
    const [payer, merchant] = [await chain.wallet(), await chain.wallet(0, 10)];
    await chain.finalize();
    const bytes = await chain.signed(payer, chain.payment(payer.publicKey, merchant.publicKey, 3n));
    const signature = await chain.send(bytes);
    await chain.call('localnet_warpSlots', { slots: 2 });
    const { connection } = chain;
    const status = async () => (await connection.getSignatureStatus(signature)).value;
    expect((await status())?.confirmationStatus).toBe('confirmed');
    const { slot } = (await status()) ?? { slot: 0 };
    const hashBefore = (await connection.getBlock(slot, { rewards: false }))?.blockhash;
    // Deep enough, and still above everything final.
    const { dropped } = await chain.call<{ dropped: string[] }>('localnet_rollback', { slots: 30 });
    expect(dropped).toContain(signature);
    expect(await status()).toBeNull();
    expect(await chain.usdcBalance(merchant.publicKey)).toBe(10n);
    expect((await connection.getBlock(slot, { rewards: false }))?.blockhash).not.toBe(hashBefore);
    expect(await chain.send(bytes)).toBe(signature);
    expect(await chain.usdcBalance(merchant.publicKey)).toBe(13n);
  });

  it('12: two ledgers have their own genesis and know nothing of each other', async () => {
    const { test, live } = chain.localnet.networks;
    expect(test.genesis_hash).not.toBe(live.genesis_hash);
    const payer = await chain.wallet();
    const bytes = await chain.anyTransaction(payer);
    const other = await ChainFixture.open();
    expect(other.localnet.networks.test.genesis_hash).not.toBe(test.genesis_hash);
    await other.close();
    expect(await callRpc(live.rpc_url, 'getGenesisHash')).toBe(live.genesis_hash);
    const balance = await callRpc(live.rpc_url, 'getBalance', payer.publicKey.toBase58());
    expect(balance).toMatchObject({ value: 0 });
    await expect(
      callRpc(live.rpc_url, 'sendTransaction', bytes.toString('base64'), { encoding: 'base64' }),
    ).rejects.toMatchObject({ message: expect.stringContaining('Blockhash not found') });
  });
});
