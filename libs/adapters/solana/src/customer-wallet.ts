import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { Unavailable, type Commitment } from '@tender/eventing';
import bs58 from 'bs58';
import { onlyEndpoint, RpcError, type RpcEndpoint } from './rpc-endpoint';
import { associatedTokenAccount, createAccountIdempotent, transferChecked } from './token-instructions';

const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const POLL_MS = 50;
const RESEND_MS = 2_000;
const CONFIRM_MS_MAX = 60_000;

export interface CustomerWallet {
  readonly address: string;
  /** Base58 of the 64-byte secret key. */
  readonly secret: string;
}

/** A wallet without money. */
export const freshWallet = (): CustomerWallet => walletOf(Keypair.fromSeed(randomBytes(32)));

/** Throws when the text is not a base58 secret key of 64 bytes. */
export const walletFromSecret = (secret: string): CustomerWallet =>
  walletOf(Keypair.fromSecretKey(bs58.decode(secret)));

const walletOf = (keypair: Keypair): CustomerWallet => ({
  address: keypair.publicKey.toBase58(),
  secret: bs58.encode(keypair.secretKey),
});

export interface OnChainPayment {
  readonly rpc_url: string;
  /** The answer waits until the transfer shows at this commitment. */
  readonly commitment: Commitment;
  /** Base58 secret of the payer, who also pays the fee and the recipient's account. */
  readonly from: string;
  /** The recipient's wallet, never its token account. */
  readonly to: string;
  /** Null for SOL. */
  readonly mint: string | null;
  /** Of the mint; not read for SOL. */
  readonly decimals: number;
  /** Base units. */
  readonly amount: bigint;
  /** Attached in this order, read-only, to the transfer, as Solana Pay says. */
  readonly references: readonly string[];
  readonly memo?: string;
  /** A token account of the recipient that is not its associated one. */
  readonly to_account?: string;
  /** Sends what the node's simulation refuses, so that it fails on chain. */
  readonly skip_preflight?: boolean;
}

export class TransferFailed extends Error {
  override readonly name = 'TransferFailed';
  constructor(
    readonly signature: string | null,
    readonly reason: unknown,
  ) {
    super(`the transfer failed: ${typeof reason === 'string' ? reason : JSON.stringify(reason)}`);
  }
}

/**
 * Pays as a customer's wallet does: one signed transaction with the transfer last, sent and awaited.
 * Throws `TransferFailed` when the chain refuses it (with a signature when it landed and failed), and
 * `Unavailable` when it does not answer.
 */
export async function payOnChain(payment: OnChainPayment): Promise<{ signature: string }> {
  const node = onlyEndpoint(payment.rpc_url);
  try {
    const payer = Keypair.fromSecretKey(bs58.decode(payment.from));
    const transaction = new Transaction().add(...instructionsOf(payment, payer.publicKey));
    const { value } = await node.call<{ value: { blockhash: string } }>('getLatestBlockhash', [
      { commitment: 'confirmed' },
    ]);
    transaction.recentBlockhash = value.blockhash;
    transaction.feePayer = payer.publicKey;
    transaction.sign(payer);
    return { signature: await sendAndAwait(node, transaction.serialize(), payment) };
  } finally {
    await node.close();
  }
}

function instructionsOf(payment: OnChainPayment, payer: PublicKey): TransactionInstruction[] {
  const to = new PublicKey(payment.to);
  const memo = payment.memo ? [memoOf(payment.memo)] : [];
  const [transfer, ...before] = payment.mint
    ? tokenTransfer(payment, payer, to, new PublicKey(payment.mint))
    : [SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports: payment.amount })];
  for (const reference of payment.references) {
    const pubkey = new PublicKey(reference);
    (transfer as TransactionInstruction).keys.push({ pubkey, isSigner: false, isWritable: false });
  }
  return [...before, ...memo, transfer as TransactionInstruction];
}

const memoOf = (text: string): TransactionInstruction =>
  new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(text) });

/** The transfer, then what has to come before it. */
function tokenTransfer(payment: OnChainPayment, payer: PublicKey, to: PublicKey, mint: PublicKey) {
  const { amount, decimals, to_account } = payment;
  const source = associatedTokenAccount(payer, mint);
  const target = to_account ? new PublicKey(to_account) : associatedTokenAccount(to, mint);
  return [
    transferChecked({ source, target, mint, owner: payer, amount, decimals }),
    ...(to_account ? [] : [createAccountIdempotent(payer, to, mint)]),
  ];
}

async function sendAndAwait(
  node: Pick<RpcEndpoint, 'call'>,
  bytes: Buffer,
  payment: OnChainPayment,
): Promise<string> {
  const { commitment, skip_preflight = false } = payment;
  const options = { encoding: 'base64', skipPreflight: skip_preflight, maxRetries: 0 };
  const encoded = bytes.toString('base64');
  const send = (extra: object) =>
    node.call<string>('sendTransaction', [encoded, { ...options, ...extra }]).catch((error: unknown) => {
      if (error instanceof RpcError) throw new TransferFailed(null, error.data ?? error.message);
      throw error;
    });
  const signature = await send({ preflightCommitment: 'confirmed' });
  for (let waited_ms = 0; waited_ms < CONFIRM_MS_MAX; waited_ms += POLL_MS) {
    const { value } = await node.call<{ value: readonly (Status | null)[] }>('getSignatureStatuses', [
      [signature],
    ]);
    const status = value[0];
    if (status && reached(status, commitment)) {
      if (status.err) throw new TransferFailed(signature, status.err);
      return signature;
    }
    // The same bytes land once, so sending them again is safe.
    const resend = !status && waited_ms > 0 && waited_ms % RESEND_MS === 0;
    if (resend) await send({ skipPreflight: true });
    await sleep(POLL_MS);
  }
  throw new Unavailable('the chain', { reason: `${signature} is not ${commitment} after a minute` });
}

interface Status {
  readonly err: unknown;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
}
const reached = ({ confirmationStatus }: Status, commitment: Commitment): boolean =>
  confirmationStatus === 'finalized' || confirmationStatus === commitment;
