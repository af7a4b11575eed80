import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createAssociatedTokenAccountIdempotentInstruction, createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  Connection, Keypair, PublicKey, SystemProgram, Transaction, type TransactionInstruction,
} from '@solana/web3.js';
import { callRpc } from '../call-rpc';
import { startLocalnet, type Localnet, type LocalnetOptions } from '../localnet';

export const USDC_DECIMALS = 6;
/** So long that a test alone makes blocks: none passes, and no blockhash gets too old, because a machine is slow. */
export const STILL_SLOT_MS = 3_600_000;
/** Blockhashes that outlive every test, where slots pass by themselves. */
export const LASTING_BLOCKS = 100_000;

/** What went wrong; null when nothing did. */
export const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Error & { code?: number }) => error,
  );

/** Both chains in this process, with the unmodified client libraries pointed at the test chain. */
export class ChainFixture {
  private constructor(
    readonly folder: string,
    private readonly options: Omit<LocalnetOptions, 'dataDir'>,
    public localnet: Localnet,
  ) {}

  static async open(options: Omit<LocalnetOptions, 'dataDir'> = {}): Promise<ChainFixture> {
    const folder = mkdtempSync(join(tmpdir(), 'localnet-'));
    const localnet = await startLocalnet({ ...options, dataDir: folder });
    return new ChainFixture(folder, options, localnet);
  }

  async restart(): Promise<void> {
    await this.clientsGone();
    await this.localnet.close();
    this.localnet = await startLocalnet({ ...this.options, dataDir: this.folder });
  }

  async close(): Promise<void> {
    await this.clientsGone();
    await this.localnet.close();
    rmSync(this.folder, { recursive: true });
  }

  /** web3.js closes an idle websocket by itself, and tries for ever to open a broken one. */
  private async clientsGone(): Promise<void> {
    for (;;) {
      const stats = await this.call<{ open_websockets: number }>('localnet_stats');
      if (stats.open_websockets === 0) return;
      await pause(20);
    }
  }

  get url(): string {
    return this.localnet.networks.test.rpc_url;
  }

  get usdc(): PublicKey {
    return new PublicKey(this.localnet.networks.test.mints.USDC);
  }

  get connection(): Connection {
    return new Connection(this.url, 'confirmed');
  }

  call<Result = unknown>(method: string, ...params: unknown[]): Promise<Result> {
    return callRpc<Result>(this.url, method, ...params);
  }

  /** Enough blocks that everything so far is final. */
  async finalize(): Promise<void> {
    await this.call('localnet_warpSlots', { slots: 40 });
  }

  /** A new wallet with SOL and USDC, in base units. */
  async wallet(lamports = 1_000_000_000, usdc = 100_000_000): Promise<Keypair> {
    const wallet = Keypair.generate();
    const address = wallet.publicKey.toBase58();
    for (const [token, amount] of [['SOL', lamports], ['USDC', usdc]] as const) {
      if (amount > 0) await this.call('localnet_faucet', { address, token, amount: `${amount}` });
    }
    return wallet;
  }

  usdcAccount(wallet: PublicKey): PublicKey {
    return getAssociatedTokenAddressSync(this.usdc, wallet, true);
  }

  async usdcBalance(wallet: PublicKey): Promise<bigint> {
    const { value } = await this.connection.getTokenAccountBalance(this.usdcAccount(wallet));
    return BigInt(value.amount);
  }

  /** A USDC payment as Solana Pay builds it: references are read-only keys of the transfer. */
  payment(
    from: PublicKey,
    to: PublicKey,
    amount: bigint,
    references: readonly PublicKey[] = [],
  ): TransactionInstruction[] {
    const [source, target] = [this.usdcAccount(from), this.usdcAccount(to)];
    const transfer = createTransferCheckedInstruction(
      source, this.usdc, target, from, amount, USDC_DECIMALS,
    );
    for (const pubkey of references) {
      transfer.keys.push({ pubkey, isSigner: false, isWritable: false });
    }
    return [
      createAssociatedTokenAccountIdempotentInstruction(from, target, to, this.usdc),
      transfer,
    ];
  }

  /** Signed bytes. The blockhash is a finalized one by default: no fork can take it away. */
  async signed(
    payer: Keypair,
    instructions: readonly TransactionInstruction[],
    blockhash?: string,
  ): Promise<Buffer> {
    const recent =
      blockhash ?? (await this.connection.getLatestBlockhash('finalized')).blockhash;
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: recent });
    transaction.add(...instructions).sign(payer);
    return transaction.serialize();
  }

  send(bytes: Uint8Array, skipPreflight = false): Promise<string> {
    return this.connection.sendRawTransaction(bytes, { skipPreflight });
  }

  /** Some transaction that is unlike any other. */
  async anyTransaction(payer: Keypair): Promise<Buffer> {
    const toPubkey = Keypair.generate().publicKey;
    const lamports = 1_000_000;
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports });
    return this.signed(payer, [transfer]);
  }
}
