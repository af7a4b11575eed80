// Self-contained on purpose: the same file is the worker thread's program.
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import type { BalanceChange, ChainBlock, ChainTransaction } from '@tender/eventing';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
/** System instructions that move lamports between wallets, and where their destination stands. */
const TRANSFER_DESTINATIONS: Readonly<Record<number, number>> = { 2: 1, 11: 2 };
/** Blocks are megabytes: zlib's own 16 KB would be hundreds of pieces to put together. */
const UNZIPPED_CHUNK_BYTES = 256 * 1024;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

interface RpcInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  /** Base58. */
  readonly data: string;
}
interface RpcTokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner?: string;
  readonly programId?: string;
  readonly uiTokenAmount: { readonly amount: string };
}
/** `encoding: json`, as getBlock and getTransaction answer it. */
export interface RpcTransaction {
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly instructions: readonly RpcInstruction[];
    };
  };
  readonly meta: {
    readonly err: unknown;
    readonly fee: number;
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
    readonly preTokenBalances?: readonly RpcTokenBalance[] | null;
    readonly postTokenBalances?: readonly RpcTokenBalance[] | null;
    readonly innerInstructions?:
      | readonly { readonly instructions: readonly RpcInstruction[] }[]
      | null;
    readonly loadedAddresses?: {
      readonly writable: readonly string[];
      readonly readonly: readonly string[];
    } | null;
  };
}
interface RpcBlock {
  readonly blockTime: number | null;
  readonly transactions: readonly RpcTransaction[];
}
export interface RpcFault {
  readonly code: number;
  readonly message: string;
}

/** A parsed getBlock answer before anything of it was decoded. */
export type ReadBlock =
  | { readonly error: RpcFault }
  | { readonly block: RpcBlock | null; readonly keys: readonly string[] };

/** Static and looked-up keys, in message order: what instruction and balance indexes point into. */
export function accountKeysOf({ transaction, meta }: RpcTransaction): string[] {
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  return [...transaction.message.accountKeys, ...writable, ...readonly];
}

/** What a transaction is found by: its signature, every key that it touches, the owners of its token accounts. */
function* touchedKeys(raw: RpcTransaction): Generator<string> {
  yield raw.transaction.signatures[0] as string;
  yield* raw.transaction.message.accountKeys;
  yield* raw.meta.loadedAddresses?.writable ?? [];
  yield* raw.meta.loadedAddresses?.readonly ?? [];
  for (const { owner } of raw.meta.postTokenBalances ?? []) if (owner) yield owner;
  for (const { owner } of raw.meta.preTokenBalances ?? []) if (owner) yield owner;
}

/** Parses the bytes of a getBlock answer and names the keys that its transactions touch, each once. */
export function readBlock(body: Uint8Array, gzip: boolean): ReadBlock {
  const { buffer, byteOffset, byteLength } = body;
  const plain = gzip
    ? gunzipSync(body, { chunkSize: UNZIPPED_CHUNK_BYTES })
    : Buffer.from(buffer, byteOffset, byteLength);
  const text = plain.toString();
  const answer = JSON.parse(text) as { result?: RpcBlock | null; error?: RpcFault };
  if (answer.error) return { error: answer.error };
  const block = answer.result ?? null;
  const keys = new Set<string>();
  for (const transaction of block?.transactions ?? []) {
    for (const key of touchedKeys(transaction)) keys.add(key);
  }
  return { block, keys: [...keys] };
}

/** Decodes the transactions that touch a wanted key; the rest of the block is never looked at. */
export function decodeBlock(
  block: RpcBlock,
  slot: number,
  wanted: ReadonlySet<string>,
): ChainBlock | null {
  if (block.blockTime === null) return null;
  const block_time = block.blockTime;
  const transactions: ChainTransaction[] = [];
  for (const raw of wanted.size > 0 ? block.transactions : []) {
    for (const key of touchedKeys(raw)) {
      if (!wanted.has(key)) continue;
      transactions.push(decodeTransaction(raw, slot, block_time));
      break;
    }
  }
  return { slot, block_time, transactions };
}

/** What a transaction did, from the balances before and after it; logs are never read. */
export function decodeTransaction(
  raw: RpcTransaction,
  slot: number,
  block_time: number,
): ChainTransaction {
  const { transaction, meta } = raw;
  const keys = accountKeysOf(raw);
  const fee = BigInt(meta.fee);
  return {
    signature: transaction.signatures[0] as string,
    slot,
    block_time,
    failed: meta.err !== null && meta.err !== undefined,
    fee_payer: keys[0] as string,
    fee,
    account_keys: keys,
    changes: [...tokenChanges(raw, keys), ...lamportChanges(raw, keys, fee)],
    sol_transfer_destinations: transferDestinations(raw, keys),
  };
}

/** Net per token account and mint; a side on which the account is missing counts as 0. */
function tokenChanges({ meta }: RpcTransaction, keys: readonly string[]): BalanceChange[] {
  const accounts = new Map<string, { last: RpcTokenBalance; delta: bigint }>();
  const add = (balance: RpcTokenBalance, sign: bigint) => {
    const id = `${balance.accountIndex}:${balance.mint}`;
    const amount = sign * BigInt(balance.uiTokenAmount.amount);
    accounts.set(id, { last: balance, delta: (accounts.get(id)?.delta ?? 0n) + amount });
  };
  for (const balance of meta.preTokenBalances ?? []) add(balance, -1n);
  for (const balance of meta.postTokenBalances ?? []) add(balance, 1n);
  return [...accounts.values()]
    .filter(({ delta, last }) => delta !== 0n && last.owner !== undefined)
    .map(({ last, delta }) => ({
      account: keys[last.accountIndex] as string,
      owner: last.owner as string,
      mint: last.mint,
      token_program: last.programId ?? null,
      delta,
    }));
}

/** Lamports, with the fee given back to the account that paid it: a fee is not money that a payment lost. */
function lamportChanges(
  { meta }: RpcTransaction,
  keys: readonly string[],
  fee: bigint,
): BalanceChange[] {
  const changes: BalanceChange[] = [];
  for (const [index, key] of keys.entries()) {
    const before = BigInt(meta.preBalances[index] ?? 0);
    const delta = BigInt(meta.postBalances[index] ?? 0) - before + (index === 0 ? fee : 0n);
    if (delta === 0n) continue;
    changes.push({ account: key, owner: key, mint: null, token_program: null, delta });
  }
  return changes;
}

function transferDestinations(
  { transaction, meta }: RpcTransaction,
  keys: readonly string[],
): string[] {
  const inner = (meta.innerInstructions ?? []).flatMap(({ instructions }) => instructions);
  const destinations = new Set<string>();
  for (const instruction of [...transaction.message.instructions, ...inner]) {
    if (keys[instruction.programIdIndex] !== SYSTEM_PROGRAM) continue;
    const place = TRANSFER_DESTINATIONS[systemDiscriminant(instruction.data)];
    const index = place === undefined ? undefined : instruction.accounts[place];
    if (index !== undefined) destinations.add(keys[index] as string);
  }
  return [...destinations];
}

/** The little-endian u32 that a System instruction begins with; -1 for what is no such instruction. */
function systemDiscriminant(data: string): number {
  let value = 0n;
  for (const character of data) {
    const digit = BASE58.indexOf(character);
    if (digit < 0) return -1;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16);
  const leading = data.length - data.replace(/^1+/, '').length;
  const bytes = Buffer.concat([
    Buffer.alloc(leading),
    Buffer.from(value === 0n ? '' : hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'),
  ]);
  return bytes.length < 4 ? -1 : bytes.readUInt32LE(0);
}

/** What the two threads say to each other. The predicate stays at home: keys go out, wanted ones come back. */
export type ToDecoder =
  | {
      readonly id: number;
      readonly slot: number;
      readonly body: Uint8Array;
      readonly gzip: boolean;
    }
  | { readonly id: number; readonly wanted: readonly string[] };
export type FromDecoder =
  | { readonly id: number; readonly keys: string }
  | { readonly id: number; readonly fault: RpcFault }
  | { readonly id: number; readonly unreadable: string }
  | { readonly id: number; readonly block: ChainBlock | null };

export const DECODER_THREAD = 'tender:block-decoder';

function serve(port: MessagePort): void {
  const open = new Map<number, { slot: number; block: RpcBlock }>();
  const answer = (message: FromDecoder) => port.postMessage(message);
  port.on('message', (message: ToDecoder) => {
    const { id } = message;
    try {
      if ('wanted' in message) {
        const { block, slot } = open.get(id) as { slot: number; block: RpcBlock };
        open.delete(id);
        return answer({ id, block: decodeBlock(block, slot, new Set(message.wanted)) });
      }
      const read = readBlock(message.body, message.gzip);
      if ('error' in read) return answer({ id, fault: read.error });
      if (!read.block) return answer({ id, block: null });
      open.set(id, { slot: message.slot, block: read.block });
      return answer({ id, keys: read.keys.join('\n') });
    } catch (error) {
      return answer({ id, unreadable: String(error) });
    }
  });
}

if (parentPort && workerData === DECODER_THREAD) serve(parentPort);
