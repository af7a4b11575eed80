// The cases 8, 13 and 14 of the chain's design: transactions that are more than a list of instructions.
import {
  AddressLookupTableProgram, Keypair, NONCE_ACCOUNT_LENGTH, NonceAccount, PublicKey, SystemProgram,
  Transaction, TransactionMessage, VersionedTransaction,
} from '@solana/web3.js';
import { ChainFixture, errorOf, STILL_SLOT_MS } from './testing/chain-fixture';

describe('a local chain behind unmodified clients', () => {
  let chain: ChainFixture;
  beforeAll(async () => {
    chain = await ChainFixture.open({ slotMs: STILL_SLOT_MS });
  });
  afterAll(() => chain.close());

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
