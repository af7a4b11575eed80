import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable, type Commitment } from '@tender/eventing';
import {
  associatedTokenAccount,
  base58,
  base64,
  compileMessage,
  createTokenAccount,
  KEY_BYTES,
  signerOf,
  transactionBytes,
  transferSol,
  transferToken,
  withReference,
  type Instruction,
} from '@tender/transactions';
import bs58 from 'bs58';
import { onlyEndpoint, RpcError, type RpcEndpoint } from './rpc-endpoint';

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const POLL_MS = 50;
const RESEND_MS = 2_000;
const CONFIRM_MS_MAX = 60_000;

export interface CustomerWallet {
  readonly address: string;
  /** Base58 of the 64-byte secret key. */
  readonly secret: string;
}

/** A wallet without money. */
export const freshWallet = (): CustomerWallet => walletOf(randomBytes(KEY_BYTES));

/** The wallet of a seed of 32 bytes. */
export function walletOf(seed: Uint8Array): CustomerWallet {
  const { address } = signerOf(seed);
  return { address, secret: base58(Buffer.concat([seed, bs58.decode(address)])) };
}

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
    const payer = signerOf(bs58.decode(payment.from));
    const { value } = await node.call<{ value: { blockhash: string } }>('getLatestBlockhash', [
      { commitment: 'confirmed' },
    ]);
    const message = compileMessage({
      fee_payer: payer.address,
      recent_blockhash: value.blockhash,
      instructions: instructionsOf(payment, payer.address),
    });
    const wire = transactionBytes(message, { [payer.address]: payer.sign(message) });
    return { signature: await sendAndAwait(node, wire, payment) };
  } finally {
    await node.close();
  }
}

function instructionsOf(payment: OnChainPayment, payer: string): Instruction[] {
  const { to, amount, mint, memo, references } = payment;
  const memos = memo ? [{ program: MEMO_PROGRAM, accounts: [], data: Buffer.from(memo) }] : [];
  const [transfer, ...before] = mint
    ? tokenTransfer(payment, payer, mint)
    : ([transferSol(payer, to, amount)] as const);
  return [...before, ...memos, references.reduce(withReference, transfer)];
}

/** The transfer, then what has to come before it. */
function tokenTransfer(
  { to, amount, decimals, to_account }: OnChainPayment,
  owner: string,
  mint: string,
): readonly [Instruction, ...Instruction[]] {
  const accountOf = (wallet: string): string => associatedTokenAccount(wallet, mint);
  const destination = to_account ?? accountOf(to);
  const transfer = { source: accountOf(owner), destination, owner, mint, decimals, amount };
  const creation = { payer: owner, account: destination, owner: to, mint };
  return [transferToken(transfer), ...(to_account ? [] : [createTokenAccount(creation)])];
}

async function sendAndAwait(
  node: Pick<RpcEndpoint, 'call'>,
  bytes: Uint8Array,
  payment: OnChainPayment,
): Promise<string> {
  const { commitment, skip_preflight = false } = payment;
  const options = { encoding: 'base64', skipPreflight: skip_preflight, maxRetries: 0 };
  const encoded = base64(bytes);
  const send = (extra: object) =>
    node.call<string>('sendTransaction', [encoded, { ...options, ...extra }]).catch((error: unknown) => {
      if (error instanceof RpcError) throw new TransferFailed(null, error.data ?? error.message);
      throw error;
    });
  const signature = await send({ preflightCommitment: 'confirmed' });
  // The same bytes land once, so sending them again is safe.
  return confirmed(node, signature, commitment, () => send({ skipPreflight: true }));
}

/** Waits until the transaction has got so far; `resend` is called now and then while no node knows it. */
export async function confirmed(
  node: Pick<RpcEndpoint, 'call'>,
  signature: string,
  commitment: Commitment,
  resend: () => Promise<unknown> = async () => undefined,
): Promise<string> {
  for (let waited_ms = 0; waited_ms < CONFIRM_MS_MAX; waited_ms += POLL_MS) {
    const { value } = await node.call<{ value: readonly (Status | null)[] }>('getSignatureStatuses', [
      [signature],
    ]);
    const status = value[0];
    if (status && reached(status, commitment)) {
      if (status.err) throw new TransferFailed(signature, status.err);
      return signature;
    }
    if (!status && waited_ms > 0 && waited_ms % RESEND_MS === 0) await resend();
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
