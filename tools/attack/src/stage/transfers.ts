import { randomBytes } from 'node:crypto';
import { Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { Mode } from '@tender/kernel';
import { callRpc } from '@tender/localnet';
import type { ChainClient } from '@tender/localnet/testing';
import type { Rules } from '@tender/signer-domain';
import { honestMessage } from '@tender/signer-domain/testing';
import type { Operation, Roster } from '@tender/threshold';
import {
  base58, PRIORITY_LAMPORTS_MAX, readTransaction, signerOf, transactionBytes, transactionSignature,
} from '@tender/transactions';

/** What a customer paid into a wallet, and by which transaction. */
export interface Credited {
  readonly customer: Keypair;
  readonly credit: string;
}

/** How long an attempt is good for: within what a signer takes. */
const LIFETIME_MS = 150_000;

/** A customer pays USDC into a wallet, and SOL by the same transaction where lamports are said. */
export async function paidIn(
  chain: ChainClient,
  wallet: string,
  amount: bigint,
  lamports = 0,
): Promise<Credited> {
  const customer = await chain.wallet(1_000_000_000 + lamports, Number(amount));
  const [fromPubkey, toPubkey] = [customer.publicKey, new PublicKey(wallet)];
  const instructions: TransactionInstruction[] = chain.payment(fromPubkey, toPubkey, amount);
  if (lamports > 0) instructions.push(SystemProgram.transfer({ fromPubkey, toPubkey, lamports }));
  const credit = await chain.send(await chain.signed(customer, instructions));
  await chain.finalize();
  return { customer, credit };
}

/** Transfers out of a wallet, as treasury would ask for them. */
export class Transfers {
  private constructor(
    private readonly chain: ChainClient,
    readonly roster: Roster,
    private readonly payer: Keypair,
  ) {}

  static async of(chain: ChainClient, roster: Roster): Promise<Transfers> {
    return new Transfers(chain, roster, await chain.wallet(10_000_000_000, 0));
  }

  /** Pays the fees: treasury alone has its key. */
  get fee_payer(): string {
    return this.payer.publicKey.toBase58();
  }

  /** What an honest message must know of the chain of a mode. */
  rules(mode: Mode = 'test'): Rules {
    const { mints } = this.chain.networks[mode];
    const limits = { sol_usd_cents: 50_000, day_limit_cents: 1_000_000 };
    return { mints, ...limits, priority_lamports_max: PRIORITY_LAMPORTS_MAX };
  }

  /** A refund. */
  operation(
    { customer, credit }: Credited,
    amount: bigint,
    asset: Operation['asset'] = 'USDC',
  ): Operation {
    return {
      ...{ v: 1, id: `otr_${randomBytes(8).toString('hex')}`, type: 'refund', mode: 'test' },
      ...{ wallet: this.roster.wallet, to: customer.publicKey.toBase58(), asset },
      ...{ amount: String(amount), credit, exp: Date.now() + LIFETIME_MS },
    };
  }

  settlement(to: string, amount: bigint): Operation {
    const { wallet } = this.roster;
    return {
      ...{ v: 1, id: `otr_${randomBytes(8).toString('hex')}`, type: 'settlement', mode: 'test' },
      ...{ wallet, to, asset: 'USDC', amount: String(amount), credit: null },
      exp: Date.now() + LIFETIME_MS,
    };
  }

  async message(op: Operation): Promise<Uint8Array> {
    const { rpc_url } = this.chain.networks[op.mode];
    const options = { commitment: 'confirmed' };
    const { value } = await callRpc<{ value: { blockhash: string } }>(
      ...([rpc_url, 'getLatestBlockhash', options] as const),
    );
    return this.messageAt(op, value.blockhash);
  }

  messageAt(op: Operation, recent_blockhash: string): Uint8Array {
    const { fee_payer } = this;
    return honestMessage(op, this.rules(op.mode), { fee_payer, recent_blockhash });
  }

  wire(op: Operation, message: Uint8Array, signature: Uint8Array): Uint8Array {
    const { address, sign } = signerOf(this.payer.secretKey);
    return transactionBytes(message, { [op.wallet]: signature, [address]: sign(message) });
  }

  /** Sends it; answers what the chain knows it by. */
  async send(op: Operation, message: Uint8Array, signature: Uint8Array): Promise<string> {
    const wire = this.wire(op, message, signature);
    const read = readTransaction(wire);
    await this.chain.send(wire, true);
    return read === null ? base58(signature) : String(transactionSignature(read));
  }
}
