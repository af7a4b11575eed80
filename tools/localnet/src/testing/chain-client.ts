import {
  createAssociatedTokenAccountIdempotentInstruction, createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  Connection, Keypair, PublicKey, SystemProgram, Transaction, type TransactionInstruction,
} from '@solana/web3.js';
import { callRpc } from '../call-rpc';
import type { LocalnetNetworks } from '../localnet';

export const USDC_DECIMALS = 6;
/** So long that a test alone makes blocks: none passes, and no blockhash gets too old, because a machine is slow. */
export const STILL_SLOT_MS = 3_600_000;

/** The unmodified client libraries, pointed at the test chain, and the controls of the local one. */
export abstract class ChainClient {
  abstract get networks(): LocalnetNetworks;

  get url(): string {
    return this.networks.test.rpc_url;
  }

  get usdc(): PublicKey {
    return new PublicKey(this.networks.test.mints.USDC);
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
    others: readonly Keypair[] = [],
  ): Promise<Buffer> {
    const recent =
      blockhash ?? (await this.connection.getLatestBlockhash('finalized')).blockhash;
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: recent });
    transaction.add(...instructions).sign(payer, ...others);
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

/** Chains that run elsewhere. */
export class ChainThere extends ChainClient {
  constructor(override readonly networks: LocalnetNetworks) {
    super();
  }
}
