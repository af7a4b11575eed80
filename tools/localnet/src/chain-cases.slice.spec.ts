// The cases 1-10 and 12-14 of the chain's design, with unmodified @solana/web3.js and spl-token.
import {
  AddressLookupTableProgram, Keypair, NONCE_ACCOUNT_LENGTH, NonceAccount, PublicKey, SystemProgram,
  Transaction, TransactionMessage, VersionedTransaction,
} from '@solana/web3.js';
import { callRpc } from './call-rpc';
import { ChainFixture, LASTING_BLOCKS, STILL_SLOT_MS } from './testing/chain-fixture';

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Error & { code?: number }) => error,
  );

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

  it('8: a version 0 transaction read without the version flag is -32015', async () => {
    const payer = await chain.wallet();
    const { blockhash } = await chain.connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: chain.payment(payer.publicKey, payer.publicKey, 1n),
    }).compileToV0Message();
    const transaction = new VersionedTransaction(message);
    transaction.sign([payer]);
    const signature = await chain.send(transaction.serialize());
    await chain.finalize();
    await expect(chain.call('getTransaction', signature)).rejects.toMatchObject({ code: -32015 });
    const read = await chain.connection.getTransaction(signature, {
      maxSupportedTransactionVersion: 0,
    });
    expect(read?.version).toBe(0);
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

  it('13: a reference that only a lookup table names is found', async () => {
    const [payer, merchant] = [await chain.wallet(), Keypair.generate().publicKey];
    const reference = Keypair.generate().publicKey;
    const recentSlot = await chain.connection.getSlot('finalized');
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey, payer: payer.publicKey, recentSlot,
    });
    const extend = AddressLookupTableProgram.extendLookupTable({
      payer: payer.publicKey, authority: payer.publicKey, lookupTable: table,
      addresses: [reference],
    });
    await chain.send(await chain.signed(payer, [create, extend]));
    await chain.finalize();
    const { value: lookup } = await chain.connection.getAddressLookupTable(table);
    const { blockhash } = await chain.connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: chain.payment(payer.publicKey, merchant, 9n, [reference]),
    }).compileToV0Message(lookup ? [lookup] : []);
    expect(message.staticAccountKeys.some((key) => key.equals(reference))).toBe(false);
    const transaction = new VersionedTransaction(message);
    transaction.sign([payer]);
    const signature = await chain.send(transaction.serialize());
    await chain.finalize();
    const found = await chain.connection.getSignaturesForAddress(reference);
    // The table's own extension names the reference only in its data.
    expect(found.map((each) => each.signature)).toEqual([signature]);
    const read = await chain.connection.getTransaction(signature, {
      maxSupportedTransactionVersion: 0,
    });
    expect(read?.meta?.loadedAddresses?.readonly.map(String)).toEqual([reference.toBase58()]);
  });

  it('14: a nonce transaction lands 200 blocks later, and only once', async () => {
    const payer = await chain.wallet();
    const nonce = Keypair.generate();
    const { connection } = chain;
    const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
    const create = new Transaction().add(
      SystemProgram.createNonceAccount({
        fromPubkey: payer.publicKey, noncePubkey: nonce.publicKey,
        authorizedPubkey: payer.publicKey, lamports,
      }),
    );
    create.recentBlockhash = (await connection.getLatestBlockhash()).blockhash;
    create.feePayer = payer.publicKey;
    create.sign(payer, nonce);
    await chain.send(create.serialize());
    await chain.finalize();
    const account = await connection.getAccountInfo(nonce.publicKey);
    const stored = NonceAccount.fromAccountData(account?.data ?? Buffer.alloc(0)).nonce;
    const advance = SystemProgram.nonceAdvance({
      noncePubkey: nonce.publicKey, authorizedPubkey: payer.publicKey,
    });
    const [merchant, second] = [Keypair.generate().publicKey, PublicKey.unique()];
    const first = await chain.signed(
      payer, [advance, ...chain.payment(payer.publicKey, merchant, 11n)], stored,
    );
    const other = await chain.signed(
      payer, [advance, ...chain.payment(payer.publicKey, second, 11n)], stored,
    );
    await chain.call('localnet_warpSlots', { slots: 200 });
    await chain.send(first);
    expect(await chain.usdcBalance(merchant)).toBe(11n);
    expect((await errorOf(chain.send(first)))?.message).toContain('already been processed');
    expect((await errorOf(chain.send(other)))?.message).toContain('Blockhash not found');
    const after = await connection.getAccountInfo(nonce.publicKey);
    expect(NonceAccount.fromAccountData(after?.data ?? Buffer.alloc(0)).nonce).not.toBe(stored);
  });
});
